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

export async function streamSpeech(url: string, key: string, text: string, model: string): Promise<StreamTiming> {
  const start = performance.now();
  const response = await fetch(`${url}/v1/tts`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, model, "content-type": "application/json" },
    body: JSON.stringify({ text, format: "pcm", sample_rate: sampleRate, seed: 1 }),
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
  }
  return { firstAudioMs, totalMs: performance.now() - start, audioSeconds: bytes / bytesPerSecond, gapsMs };
}
