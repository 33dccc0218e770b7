import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ApiError } from "../wire/api-error.ts";
import { encodeMessagePack } from "../wire/message-pack.ts";
import { decodeListenClientFrame, encodeListenFrame } from "./listen-frames.ts";

const valid = fc.constantFrom<Uint8Array[]>(
  ...[
    { event: "start", request: { language: "en", format: "ulaw", sample_rate: 8000, partials: false } },
    { event: "audio", audio: Uint8Array.of(1, 2, 3, 4) },
    { event: "flush" },
    { event: "stop" },
  ].map((frame) => encodeMessagePack(frame)),
);
/** Heads that announce more than the frame has: strings, bytes, arrays, maps and extensions of up to 4 GiB. */
const greedy = fc
  .tuple(fc.constantFrom(0xc6, 0xc9, 0xdb, 0xdd, 0xdf), fc.uint8Array({ minLength: 4, maxLength: 40 }))
  .map(([head, rest]) => Uint8Array.of(head, ...rest));
const nested = fc
  .tuple(fc.constantFrom(0x91, 0x81), fc.integer({ min: 1, max: 60_000 }))
  .map(([head, depth]) => new Uint8Array(depth).fill(head));
const changed = fc.tuple(valid, fc.nat(), fc.nat(255)).map(([bytes, at, value]) => {
  const copy = Uint8Array.from(bytes);
  copy[at % copy.length] = value;
  return copy;
});
const cut = fc.tuple(valid, fc.nat()).map(([bytes, length]) => bytes.slice(0, length % bytes.length));
const longer = fc.tuple(valid, fc.uint8Array({ minLength: 1, maxLength: 20 })).map((pair) => Buffer.concat(pair));
const wrong = fc
  .record({
    event: fc.constantFrom("start", "audio", "flush", "stop", "__proto__", "constructor", "", 7, null),
    audio: fc.oneof(fc.string(), fc.integer(), fc.array(fc.integer()), fc.constant(null)),
    __proto__: fc.constant(null),
  })
  .map((frame) => encodeMessagePack(frame));

describe("frames of audio from a client", () => {
  it("are read as they were written", () => {
    const audio = { event: "audio", audio: Uint8Array.of(1, 2) } as const;
    const read = decodeListenClientFrame(encodeListenFrame(audio));
    assert.deepEqual(read?.event === "audio" && Uint8Array.from(read.audio), audio.audio);
    for (const frame of [{ event: "start", request: { language: "en" } }, { event: "flush" }] as const) {
      assert.deepEqual(decodeListenClientFrame(encodeListenFrame(frame)), frame);
    }
  });

  it("are read, ignored or refused, 10 000 malformed and hostile ones", () => {
    const results = { read: 0, ignored: 0, refused: 0 };
    const short = [fc.uint8Array({ maxLength: 60 }), greedy, changed, cut, longer, wrong];
    const hostile = fc.oneof(
      ...short.map((arbitrary) => ({ arbitrary, weight: 20 })),
      // They are long.
      { arbitrary: nested, weight: 1 },
    );
    fc.assert(
      fc.property(hostile, (bytes) => {
        try {
          results[decodeListenClientFrame(bytes) === undefined ? "ignored" : "read"]++;
        } catch (error) {
          assert.ok(error instanceof ApiError && /^unreadable_frame|invalid_request$/.test(error.code), String(error));
          results.refused++;
        }
      }),
      { numRuns: 10_000 },
    );
    // Each outcome is common, so each kind of frame was tried.
    for (const [outcome, count] of Object.entries(results)) assert.ok(count > 200, `${outcome}: ${count}`);
  });
});
