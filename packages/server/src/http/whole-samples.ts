import type { AudioFormatName } from "@parlance/protocol";
import type { SpeechPart } from "@parlance/speech";

/** The same parts, none of which ends inside a sample, because clients play each one at once. Empty parts are left out. */
export async function* wholeSamples(parts: AsyncIterable<SpeechPart>, sampleBytes: 1 | 2): AsyncGenerator<SpeechPart> {
  let rest = new Uint8Array(0);
  for await (const part of parts) {
    const joined = rest.length === 0 ? part.bytes : Buffer.concat([rest, part.bytes]);
    const whole = joined.length - (joined.length % sampleBytes);
    rest = Uint8Array.from(joined.subarray(whole));
    if (whole > 0 || part.alignment !== undefined) yield { ...part, bytes: joined.subarray(0, whole) };
  }
  if (rest.length > 0) throw new Error("the audio ends inside a sample");
}

/** Only pcm and wav have samples that could be split. */
export function sampleBytesOf(format: AudioFormatName): 1 | 2 {
  return format === "pcm" || format === "wav" ? 2 : 1;
}
