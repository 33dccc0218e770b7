import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "@parlance/protocol";
import fc from "fast-check";
import { createEventDecoder, encodeEvent, MAX_PART_BYTES, type WyomingEvent } from "./events.ts";

function decodeAll(chunks: readonly Uint8Array[]): readonly WyomingEvent[] {
  const decoder = createEventDecoder();
  return chunks.flatMap((chunk) => [...decoder.push(chunk)]);
}

function isUnreadable(error: unknown): boolean {
  return error instanceof ApiError && error.code === "unreadable_frame";
}

describe("the events of the Wyoming protocol", () => {
  it("are decoded as they were encoded, wherever the bytes are cut", () => {
    const fields = {
      type: fc.string({ unit: "grapheme" }),
      data: fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: "grapheme" }), fc.integer(), fc.boolean()), {
        maxKeys: 5,
        noNullPrototype: true,
      }),
      payload: fc.uint8Array({ maxLength: 200 }),
    };
    const event = fc.record(fields, { noNullPrototype: true });
    fc.assert(
      fc.property(fc.array(event, { maxLength: 5 }), fc.array(fc.nat(), { maxLength: 10 }), (events, cuts) => {
        const bytes = Buffer.concat(events.map(({ type, data, payload }) => encodeEvent(type, data, payload)));
        const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
        const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
        const decoded = decodeAll(chunks).map(({ payload, ...rest }) => ({
          ...rest,
          payload: Uint8Array.from(payload),
        }));
        assert.deepEqual(decoded, events);
      }),
      { numRuns: 300 },
    );
  });

  it("may have their data in the line, and more of it after the line", () => {
    const [event] = decodeAll([Buffer.from('{"type":"x","data":{"a":1,"b":2},"data_length":7}\n{"b":3}')]);
    assert.deepEqual(event?.data, { a: 1, b: 3 });
  });

  it("are refused when a length is over its limit or not a number, before the bytes arrive", () => {
    for (const field of ["data_length", "payload_length"]) {
      for (const value of [MAX_PART_BYTES + 1, -1, 1.5, "5", 1e300]) {
        const line = Buffer.from(`${JSON.stringify({ type: "x", [field]: value })}\n`);
        assert.throws(() => decodeAll([line]), isUnreadable, `${field} ${value}`);
      }
    }
    const long = Buffer.alloc(MAX_PART_BYTES + 1, "a");
    assert.throws(() => decodeAll([long]), isUnreadable);
  });

  it("are refused when they are not JSON objects of a moderate structure", () => {
    const lines = ["", "5", "[]", "{", '{"data":{}}', '{"type":5}', '{"type":"x","data":[]}', "GET / HTTP/1.1\r"];
    const deep = `{"type":"x","data":${'{"a":'.repeat(20)}1${"}".repeat(20)}}`;
    const wide = JSON.stringify({ type: "x", data: Object.fromEntries([...Array(500).keys()].map((key) => [key, 1])) });
    for (const line of [...lines, deep, wide]) {
      assert.throws(() => decodeAll([Buffer.from(`${line}\n`)]), isUnreadable, line.slice(0, 40));
    }
    assert.throws(() => decodeAll([Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d, 0x0a])]), isUnreadable);
  });
});
