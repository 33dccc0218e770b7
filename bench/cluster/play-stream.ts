/** About twenty seconds of tone. */
export const LONG_TEXT = "The quick brown fox jumps over the lazy dog, and then it rests for a while. "
  .repeat(4)
  .trim();

export interface StreamRequest {
  readonly url: string;
  readonly key: string;
  readonly text: string;
  /** Samples per second of the response. */
  readonly rate: number;
}

export interface Stream {
  readonly status: number;
  /** Seconds; 0 without the header. */
  readonly retryAfter: number;
  readonly firstAudioMs: number | undefined;
  readonly audioSeconds: number;
  /** How often a player would have run out of audio. */
  readonly stutters: number;
  /** When a player plays its first and last sample, on the clock of `performance.now`. */
  readonly playedFrom: number;
  readonly playedTo: number;
}

/** Requests a stream and plays it, as a client that plays while it receives. What has come counts when the signal aborts. */
export async function playStream({ url, key, text, rate }: StreamRequest, signal?: AbortSignal): Promise<Stream> {
  const bytesPerMs = (2 * rate) / 1000;
  const from = performance.now();
  const response = await fetch(`${url}/v1/tts`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, model: "s2-pro", "content-type": "application/json" },
    body: JSON.stringify({ text, format: "pcm", sample_rate: rate }),
    ...(signal ? { signal } : {}),
  });
  const retryAfter = Number(response.headers.get("retry-after") ?? 0);
  let firstAt: number | undefined;
  let playsUntil = 0;
  let received = 0;
  let stutters = 0;
  if (response.status === 200 && response.body) {
    try {
      for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
        const now = performance.now();
        firstAt ??= now;
        if (now > playsUntil && received > 0) stutters++;
        // The player waits, and goes on with what has come.
        playsUntil = Math.max(now, playsUntil) + bytes.length / bytesPerMs;
        received += bytes.length;
      }
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  } else await response.arrayBuffer();
  return {
    status: response.status,
    retryAfter,
    firstAudioMs: firstAt === undefined ? undefined : firstAt - from,
    audioSeconds: received / bytesPerMs / 1000,
    stutters,
    playedFrom: firstAt ?? from,
    playedTo: playsUntil,
  };
}
