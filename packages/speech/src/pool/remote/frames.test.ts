import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { pack, unpack } from "./codec.ts";
import {
  createFrameReader,
  createFrameWriter,
  decodeFrame,
  type Frame,
  MAX_BODY_BYTES,
  understands,
  WIRE_VERSION,
} from "./frames.ts";

function written(body: Uint8Array): Frame[] {
  const frames: Frame[] = [];
  createFrameWriter(7, (bytes) => {
    const frame = decodeFrame(bytes);
    assert.ok(frame);
    frames.push(frame);
  }).write("part", body);
  return frames;
}

test("a long body arrives whole, in frames of a limited size", () => {
  const body = Uint8Array.from({ length: 2 * MAX_BODY_BYTES + 3 }, (_, index) => index % 251);
  const frames = written(body);
  assert.equal(frames.length, 3);
  const reader = createFrameReader(body.length);
  const results = frames.map((frame) => reader.read(frame));
  assert.deepEqual(results.slice(0, 2), [undefined, undefined]);
  const whole = results[2];
  assert.ok(whole instanceof Uint8Array);
  assert.ok(Buffer.from(whole).equals(body));
});

test("a lost frame is noticed, and so is a body that is too long", () => {
  const [, second] = written(new Uint8Array(MAX_BODY_BYTES + 1));
  assert.ok(second);
  assert.equal(createFrameReader(MAX_BODY_BYTES * 2).read(second), "gap");
  const [first] = written(new Uint8Array(11));
  assert.ok(first);
  assert.equal(createFrameReader(10).read(first), "gap");
});

test("neighbouring versions understand each other, others do not", () => {
  assert.ok(understands(1, 2));
  assert.ok(understands(2, 1));
  assert.ok(!understands(1, 3));
  const bytes: Uint8Array[] = [];
  createFrameWriter(1, (frame) => bytes.push(frame)).write("cancel");
  const [frame] = bytes;
  assert.ok(frame);
  assert.equal(decodeFrame(frame)?.type, "cancel");
  frame[0] = WIRE_VERSION + 2;
  assert.equal(decodeFrame(frame), undefined);
});

test("any bytes are a frame or nothing", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      const frame = decodeFrame(bytes);
      assert.ok(frame === undefined || frame.body.length === bytes.length - 12);
    }),
  );
});

test("samples are sent without loss", () => {
  const samples = Float32Array.from([0, -0, 1e-40, 0.1, Number.NaN, -1]);
  const { part } = unpack(pack({ part: samples })) as { part: Float32Array };
  assert.ok(part instanceof Float32Array);
  assert.deepEqual(new Uint8Array(part.buffer, part.byteOffset, part.byteLength), new Uint8Array(samples.buffer));
});
