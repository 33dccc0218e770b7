import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import type { Engine } from "../../engines/engine.ts";
import { engineSpec, loadEngine } from "../../engines/load.ts";
import { testModels } from "../../testing/models.ts";
import { nearestSpeakers, readStockSpeakers, type StockSpeaker } from "./stock-speakers.ts";
import { createTrials, TRIAL_SENTENCES, type Trials } from "./trials.ts";
import { loadVoiceEncoder, type VoiceEncoder } from "./voice-encoder.ts";
import { xvectorFiles } from "./xvector/files.ts";
import { cosine, loadXVector, type XVector } from "./xvector/xvector.ts";

describe("the voice encoder", () => {
  let encoder: VoiceEncoder;
  let engine: Engine;
  let xvector: XVector;
  let trials: Trials;
  let speakers: readonly StockSpeaker[];
  before(async () => {
    const models = await testModels("piper-libritts", "xvector");
    const spec = await engineSpec("piper", models, 1);
    assert.ok(spec);
    [engine, xvector, encoder] = await Promise.all([
      loadEngine(spec),
      loadXVector(xvectorFiles(models)),
      loadVoiceEncoder(),
    ]);
    trials = createTrials(engine, xvector);
    speakers = await readStockSpeakers();
  });
  after(() => Promise.all([encoder.close(), engine.close(), xvector.close()]));

  const speakerAt = (row: number): StockSpeaker => {
    const speaker = speakers[row];
    assert.ok(speaker);
    return speaker;
  };

  it("makes a voice that is nearest to its speaker among all 904", async () => {
    for (const row of [12, 345, 678]) {
      const speaker = speakerAt(row);
      const features = await trials.run(await encoder.encode(speaker), TRIAL_SENTENCES[2]);
      assert.equal(nearestSpeakers(speakers, features, 1)[0]?.name, speaker.name);
      assert.ok(features.pitch && speaker.pitch);
      assert.ok(
        Math.abs(Math.log2(features.pitch / speaker.pitch)) < 0.25,
        `${features.pitch} instead of ${speaker.pitch}`,
      );
    }
  });

  it("uses more than the pitch, and works without it", async () => {
    const [one, other] = [speakerAt(12), speakerAt(345)];
    const voices = await Promise.all([
      encoder.encode(one),
      encoder.encode({ ...one, pitch: undefined }),
      encoder.encode({ vector: other.vector, pitch: one.pitch }),
    ]);
    const [known, unpitched, foreign] = voices;
    assert.ok(known && unpitched && foreign);
    assert.ok(unpitched.every(Number.isFinite));
    assert.ok(cosine(known, unpitched) > cosine(known, foreign));
  });

  it("refuses features that are not finite", async () => {
    const vector = new Float32Array(128).fill(Number.NaN);
    await assert.rejects(encoder.encode({ vector, pitch: 160 }), RangeError);
  });

  it("names a damaged file", async (context: TestContext) => {
    const folder = await mkdtemp(join(tmpdir(), "parlance-test-"));
    context.after(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, "encoder.onnx");
    await writeFile(file, Buffer.alloc(100, 7));
    await assert.rejects(loadVoiceEncoder(pathToFileURL(file)), /encoder\.onnx/);
  });
});
