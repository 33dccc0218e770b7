import assert from "node:assert/strict";
import { it } from "node:test";
import type { SpeechPart } from "@parlance/speech";
import { alignedBytes, createTimestamps } from "./timestamps.ts";

const bytes = (count: number) => new Uint8Array(count);
const alignment = (text: string, offset: number, duration: number) => ({
  text,
  segments: [{ text, start: 0.12345, end: 0.5 }],
  offset,
  duration,
});

async function aligned(parts: readonly SpeechPart[]): Promise<SpeechPart[]> {
  const out: SpeechPart[] = [];
  async function* each() {
    yield* parts;
  }
  for await (const part of alignedBytes(each())) out.push(part);
  return out;
}

it("gives the text and the offset of each part as soon as they are known", () => {
  const describe = createTimestamps();
  const parts = [
    { bytes: bytes(2), chunk: 0 },
    { bytes: bytes(2), chunk: 0, alignment: alignment("one", 0.025, 0.5) },
    { bytes: bytes(2), chunk: 0 },
    { bytes: bytes(2), chunk: 0, alignment: alignment("one", 0.025, 1.25) },
    { bytes: bytes(2), chunk: 1 },
    { bytes: bytes(2), chunk: 1, alignment: alignment("two", 1.4, 0.6) },
  ].map(describe);
  assert.deepEqual(
    parts.map((each) => [each.chunk_seq, each.content, each.chunk_audio_offset_sec, each.alignment?.audio_duration]),
    [
      [0, "", 0, undefined],
      [0, "one", 0.025, 0.5],
      [0, "one", 0.025, undefined],
      [0, "one", 0.025, 1.25],
      [1, "", 1.275, undefined],
      [1, "two", 1.4, 0.6],
    ],
  );
  assert.deepEqual(parts[1]?.alignment?.segments, [{ text: "one", start: 0.123, end: 0.5 }]);
  assert.equal(parts[0]?.alignment, null);
});

it("joins an alignment without bytes with the next bytes of its chunk", async () => {
  const [first, second, third] = [alignment("a", 0, 1), alignment("a", 0, 2), alignment("b", 2, 1)];
  assert.deepEqual(
    await aligned([
      { bytes: bytes(0), chunk: 0, alignment: first },
      { bytes: bytes(2), chunk: 0 },
      { bytes: bytes(0), chunk: 0, alignment: first },
      { bytes: bytes(0), chunk: 0, alignment: second },
      { bytes: bytes(4), chunk: 1, alignment: third },
      { bytes: bytes(0), chunk: 1, alignment: third },
    ]),
    [
      { bytes: bytes(2), chunk: 0, alignment: first },
      { bytes: bytes(0), chunk: 0, alignment: second },
      { bytes: bytes(4), chunk: 1, alignment: third },
      { bytes: bytes(0), chunk: 1, alignment: third },
    ],
  );
});
