import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { cloningEngine } from "../../engines/registry.ts";
import { countSessions } from "../../testing/count-sessions.ts";
import { loadVoiceEncoder, type VoiceEncoder } from "./voice-encoder.ts";
import { speakerNetworkVersion, voiceEncoderVersion } from "./voice-encoder-version.ts";
import { unit } from "./xvector/vectors.ts";

const someVector = (seed: number) => unit(Float32Array.from({ length: 128 }, (_, i) => Math.sin((i + 1) * seed)));
/** An x-vector in no particular direction. */
const speaker = (seed: number) => ({ vector: someVector(seed), pitch: 160 });
/** A file with other weights. */
const otherFile = async (context: TestContext, name: string, bytes: string | Uint8Array): Promise<URL> => {
  const folder = await mkdtemp(join(tmpdir(), "parlance-test-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, name), bytes);
  return pathToFileURL(join(folder, name));
};
const distance = (a: Float32Array, b: Float32Array) => Math.hypot(...a.map((value, i) => value - (b[i] ?? 0)));

describe("the voice encoder", () => {
  let encoder: VoiceEncoder;
  before(async () => {
    encoder = await loadVoiceEncoder();
  });
  after(() => encoder.close());

  it("uses more than the pitch, and works without it", async () => {
    const [one, other] = [speaker(3), speaker(5)];
    const [known, unpitched, foreign] = await Promise.all(
      [one, { ...one, pitch: undefined }, other].map(async (each) => (await encoder.encode(each)).embedding),
    );
    assert.ok(known && unpitched && foreign);
    assert.equal(known.length, 128);
    assert.ok(unpitched.every(Number.isFinite));
    assert.ok(distance(known, unpitched) < distance(known, foreign));
  });

  it("makes a voice without the vector of the speaker network, or with one of another network, but states no version", async () => {
    const network = await speakerNetworkVersion();
    const encode = (networkVector?: { values: Float32Array; network: string }) =>
      encoder.encode({ ...speaker(3), networkVector });
    const [known, missing, other] = await Promise.all([
      encode({ values: someVector(7), network }),
      encode(),
      encode({ values: someVector(7), network: "other weights" }),
    ]);
    assert.deepEqual([known.encoder, missing.encoder, other.encoder], [encoder.version, "", ""]);
    assert.ok(known.embedding.every(Number.isFinite) && missing.embedding.every(Number.isFinite));
    assert.deepEqual(other.embedding, missing.embedding);
  });

  it("refuses features that are not finite, or of another length", async () => {
    const network = await speakerNetworkVersion();
    for (const values of [new Float32Array(128).fill(Number.NaN), new Float32Array(512)]) {
      await assert.rejects(encoder.encode({ vector: values, pitch: 160 }), RangeError);
      await assert.rejects(encoder.encode({ ...speaker(3), networkVector: { values, network } }), RangeError);
    }
  });

  it("has a version that changes with its weights and those of the speaker network", async (context: TestContext) => {
    assert.match(encoder.version, /^[0-9a-f]{16}$/);
    assert.equal(await voiceEncoderVersion(), encoder.version);
    const other = await otherFile(context, "other.onnx", "other weights");
    const { cloning } = cloningEngine;
    assert.notEqual(await voiceEncoderVersion({ ...cloning, encoder: other }), encoder.version);
    assert.notEqual(await voiceEncoderVersion({ ...cloning, speakerNetwork: other }), encoder.version);
    assert.notEqual(await voiceEncoderVersion({ ...cloning, decoder: other }), encoder.version);
    assert.notEqual(await speakerNetworkVersion({ speakerNetwork: other }), await speakerNetworkVersion());
  });

  it("leaves no session open when a file cannot be read", async (context: TestContext) => {
    const { open, all } = countSessions(context);
    const missing = pathToFileURL("/nonexistent/network.onnx");
    await assert.rejects(loadVoiceEncoder({ ...cloningEngine.cloning, speakerNetwork: missing }), /ENOENT/);
    // A session that was being opened at the same time would be open by then.
    await sleep(100);
    assert.deepEqual([open.size, all()], [0, 0]);
  });

  it("names a damaged file", async (context: TestContext) => {
    const encoder = await otherFile(context, "encoder.onnx", Buffer.alloc(100, 7));
    await assert.rejects(loadVoiceEncoder({ ...cloningEngine.cloning, encoder }), /encoder\.onnx/);
  });
});
