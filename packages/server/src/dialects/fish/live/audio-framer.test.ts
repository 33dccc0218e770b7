import assert from "node:assert/strict";
import { it } from "node:test";
import type { SpeechPart } from "@parlance/speech";
import fc from "fast-check";
import { createTimestamps } from "../../../http/timestamps.ts";
import { type AudioFrame, createAudioFramer, MAX_FRAME_BYTES, MIN_FRAME_BYTES } from "./audio-framer.ts";

const samples = (max: number) =>
  fc.integer({ min: 0, max }).map((count) => Uint8Array.from({ length: count * 2 }, (_, index) => index & 0xff));
const parts = fc.array(
  fc.record({
    bytes: fc.oneof(samples(300), samples(40_000)),
    isNewChunk: fc.boolean(),
    isAligned: fc.boolean(),
  }),
  { maxLength: 30 },
);

function toParts(shapes: readonly { bytes: Uint8Array; isNewChunk: boolean; isAligned: boolean }[]): SpeechPart[] {
  let chunk = 0;
  return shapes.map(({ bytes, isNewChunk, isAligned }, index) => {
    if (isNewChunk) chunk += 1;
    const alignment = { text: `chunk ${chunk}`, segments: [], offset: chunk, duration: index };
    return isAligned ? { bytes, chunk, alignment } : { bytes, chunk };
  });
}

function gather(given: readonly SpeechPart[], withTimestamps: boolean): AudioFrame[] {
  const frames = createAudioFramer(withTimestamps ? createTimestamps() : undefined);
  const out = given.flatMap((part) => frames.push(part));
  out.push(...frames.flush());
  assert.ok(frames.isEmpty);
  return out;
}

const all = (pieces: readonly { audio: Uint8Array }[]) => Buffer.concat(pieces.map(({ audio }) => audio));

it("makes frames of 2 to 32 KiB (the last may be smaller) of whole samples, and loses nothing", () => {
  fc.assert(
    fc.property(parts, (shapes) => {
      const frames = gather(toParts(shapes), false);
      for (const [index, { audio, fields }] of frames.entries()) {
        assert.equal(fields, undefined);
        assert.ok(audio.length > 0 && audio.length <= MAX_FRAME_BYTES && audio.length % 2 === 0);
        assert.ok(audio.length >= MIN_FRAME_BYTES || index === frames.length - 1, `${audio.length} bytes`);
      }
      assert.deepEqual(all(frames), Buffer.concat(shapes.map(({ bytes }) => bytes)));
    }),
  );
});

it("keeps chunks apart and sends the newest alignment of each, with timestamps", () => {
  fc.assert(
    fc.property(parts, (shapes) => {
      const given = toParts(shapes);
      const frames = gather(given, true);
      assert.deepEqual(all(frames), Buffer.concat(shapes.map(({ bytes }) => bytes)));
      for (const chunk of new Set(given.map((part) => part.chunk))) {
        const mine = frames.filter(({ fields }) => fields?.chunk_seq === chunk);
        const expected = given.filter((part) => part.chunk === chunk);
        assert.deepEqual(all(mine), Buffer.concat(expected.map(({ bytes }) => bytes)), "its own bytes, and no others");
        const newest = expected.filter((part) => part.alignment !== undefined).at(-1)?.alignment;
        const sent = mine.filter(({ fields }) => fields?.alignment).at(-1)?.fields;
        assert.equal(sent?.alignment?.audio_duration, newest?.duration);
        assert.equal(sent?.content, newest?.text);
        for (const { audio } of mine.slice(0, -1)) assert.ok(audio.length >= MIN_FRAME_BYTES);
      }
    }),
  );
});
