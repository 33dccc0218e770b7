import type { SpeechPart } from "@parlance/speech";

/** The bytes of the parts, none of them empty and none ending inside a sample: readers play each one as it comes. */
export async function* wholeSamples(parts: AsyncIterable<SpeechPart>, sampleBytes: 1 | 2): AsyncGenerator<Uint8Array> {
  let rest = new Uint8Array(0);
  for await (const { bytes } of parts) {
    const joined = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    const whole = joined.length - (joined.length % sampleBytes);
    rest = Uint8Array.from(joined.subarray(whole));
    if (whole > 0) yield joined.subarray(0, whole);
  }
  if (rest.length > 0) throw new Error("the audio ends inside a sample");
}
