/** A client that reads a speech stream and measures when its audio arrives. */
const sampleRate = 24_000;
const bytesPerSecond = sampleRate * 2;

export interface StreamTiming {
  readonly firstAudioMs: number;
  readonly totalMs: number;
  readonly audioSeconds: number;
  /** How long a player that starts with the first byte would have stalled. */
  readonly gapsMs: number;
}

export interface StreamOptions {
  /** The id of a voice; the default one otherwise. */
  readonly voice?: string;
  /** Receives the audio: 16 bits a sample. */
  readonly onPart?: (bytes: Uint8Array) => void;
}

export async function streamSpeech(
  url: string,
  key: string,
  text: string,
  model: string,
  { voice, onPart }: StreamOptions = {},
): Promise<StreamTiming> {
  const start = performance.now();
  const response = await fetch(`${url}/v1/tts`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, model, "content-type": "application/json" },
    body: JSON.stringify({
      text,
      format: "pcm",
      sample_rate: sampleRate,
      seed: 1,
      ...(voice ? { reference_id: voice } : {}),
    }),
  });
  if (!response.ok || !response.body) throw new Error(`${response.status} ${await response.text()}`);
  let firstAudioMs = 0;
  let bytes = 0;
  let gapsMs = 0;
  for await (const part of response.body) {
    const now = performance.now();
    if (bytes === 0) firstAudioMs = now - start;
    else {
      const playedUntil = start + firstAudioMs + gapsMs + (bytes / bytesPerSecond) * 1000;
      gapsMs += Math.max(0, now - playedUntil);
    }
    bytes += part.length;
    onPart?.(part);
  }
  return { firstAudioMs, totalMs: performance.now() - start, audioSeconds: bytes / bytesPerSecond, gapsMs };
}
