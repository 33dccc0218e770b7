const RATE = 24_000;
const BYTES_PER_SECOND = 2 * RATE;
/** About twenty seconds of tone. */
export const LONG_TEXT = "The quick brown fox jumps over the lazy dog, and then it rests for a while. "
  .repeat(4)
  .trim();

export interface Stream {
  readonly status: number;
  /** Seconds; 0 without the header. */
  readonly retryAfter: number;
  readonly firstAudioMs: number | undefined;
  readonly audioSeconds: number;
  /** How often a player would have run out of audio. */
  readonly stutters: number;
}

/** Requests a stream and plays it, as a client that plays while it receives. */
export async function playStream(url: string, key: string, text: string): Promise<Stream> {
  const from = performance.now();
  const response = await fetch(`${url}/v1/tts`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, model: "s2-pro", "content-type": "application/json" },
    body: JSON.stringify({ text, format: "pcm", sample_rate: RATE }),
  });
  const retryAfter = Number(response.headers.get("retry-after") ?? 0);
  let firstAt: number | undefined;
  let received = 0;
  let stutters = 0;
  if (response.status === 200 && response.body) {
    for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
      const now = performance.now();
      firstAt ??= now;
      if (received / BYTES_PER_SECOND < (now - firstAt) / 1000) {
        if (received > 0) stutters++;
        // The player waits, and goes on with what has come.
        firstAt = now - (received / BYTES_PER_SECOND) * 1000;
      }
      received += bytes.length;
    }
  } else await response.arrayBuffer();
  const firstAudioMs = firstAt === undefined ? undefined : firstAt - from;
  return { status: response.status, retryAfter, firstAudioMs, audioSeconds: received / BYTES_PER_SECOND, stutters };
}
