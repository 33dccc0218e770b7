import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { loadVoiceEncoder, type VoiceEncoder } from "./voice-encoder.ts";
import { voiceEncoderVersion } from "./voice-encoder-version.ts";
import { unit } from "./xvector/vectors.ts";

/** An x-vector in no particular direction. */
const speaker = (seed: number) => ({
  vector: unit(Float32Array.from({ length: 128 }, (_, i) => Math.sin((i + 1) * seed))),
  pitch: 160,
});
const distance = (a: Float32Array, b: Float32Array) => Math.hypot(...a.map((value, i) => value - (b[i] ?? 0)));

describe("the voice encoder", () => {
  let encoder: VoiceEncoder;
  before(async () => {
    encoder = await loadVoiceEncoder();
  });
  after(() => encoder.close());

  it("uses more than the pitch, and works without it", async () => {
    const [one, other] = [speaker(3), speaker(5)];
    const [known, unpitched, foreign] = await Promise.all([
      encoder.encode(one),
      encoder.encode({ ...one, pitch: undefined }),
      encoder.encode(other),
    ]);
    assert.equal(known.length, 128);
    assert.ok(unpitched.every(Number.isFinite));
    assert.ok(distance(known, unpitched) < distance(known, foreign));
  });

  it("refuses features that are not finite, or of another length", async () => {
    await assert.rejects(encoder.encode({ vector: new Float32Array(128).fill(Number.NaN), pitch: 160 }), RangeError);
    await assert.rejects(encoder.encode({ vector: new Float32Array(512), pitch: 160 }), RangeError);
  });

  it("has a version that changes with its weights", async (context: TestContext) => {
    assert.match(encoder.version, /^[0-9a-f]{16}$/);
    assert.equal(await voiceEncoderVersion(), encoder.version);
    const folder = await mkdtemp(join(tmpdir(), "parlance-test-"));
    context.after(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "other.onnx");
    await writeFile(file, "other weights");
    assert.notEqual(await voiceEncoderVersion(pathToFileURL(file)), encoder.version);
  });

  it("names a damaged file", async (context: TestContext) => {
    const folder = await mkdtemp(join(tmpdir(), "parlance-test-"));
    context.after(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "encoder.onnx");
    await writeFile(file, Buffer.alloc(100, 7));
    await assert.rejects(loadVoiceEncoder(pathToFileURL(file)), /encoder\.onnx/);
  });
});
