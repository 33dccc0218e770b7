import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createDecoder } from "../../../audio/decode/index.ts";
import { kokoro } from "../../../engines/kokoro/descriptor.ts";
import { DECODER_OFFSETS } from "../../../engines/kokoro/student/offsets.ts";
import { testModels } from "../../../testing/models.ts";
import { realSpeech } from "../../../testing/real-speech.ts";
import { createCloning } from "../cloning.ts";
import { ANALYSIS_RATE } from "../extract-speech.ts";
import { xvectorFiles } from "../xvector/files.ts";
import { createRefiner } from "./refiner.ts";

const never = new AbortController().signal;
/** A fifth of what a server takes: enough to see that voices become more similar. */
const STEPS = 8;

describe("the refiner", { timeout: 300_000 }, () => {
  it("makes a voice more similar to recordings of a person that were left out", async (context) => {
    const models = await testModels("kokoro-q8", "xvector", "silero-vad", "test-speech");
    const folder = await mkdtemp(join(tmpdir(), "parlance-refiner-"));
    context.after(() => rm(folder, { recursive: true, force: true }));
    const cloning = await createCloning({ models, minSeconds: 1, maxSeconds: 120 });
    context.after(() => cloning.close());
    const decoder = createDecoder();
    context.after(() => decoder.close());
    const clips = realSpeech(models).flatMap(({ name, path }) => (/-(0870|0920)$/.test(name) ? [path] : []));
    const request = { recordings: clips, enhance: false, keepSpeech: true };
    const { voice, recordings } = await cloning.create(request, never);
    const speech = await Promise.all(
      recordings.map(async ({ speech: file }, index) => {
        const [kept, path] = [`${index}.ogg`, `${index}.pcm`].map((name) => join(folder, name)) as [string, string];
        await writeFile(kept, file ?? new Uint8Array());
        await decoder.decode(kept, path, { sampleRate: ANALYSIS_RATE, minSeconds: 0.5, maxSeconds: 120 }, never);
        return { path };
      }),
    );
    const refine = createRefiner({ kokoro: await kokoro.locate(models, "fast"), xvector: xvectorFiles(models) }, STEPS);

    const { refined, similarity } = await refine({ voice, recordings: speech, share: 1 }, never);

    assert.ok(refined && similarity, "the refinement was not kept");
    assert.ok(similarity.after > similarity.before, JSON.stringify(similarity));
    assert.equal(refined.decoderOffsets.length, DECODER_OFFSETS);
    assert.ok(refined.decoderOffsets.some((value) => value !== 0));
    assert.notDeepEqual(refined.embedding, voice.embedding);
    assert.ok(refined.embedding.every((value, i) => Math.abs(value - (voice.embedding[i] ?? 0)) < 0.2));
  });

  it("leaves a voice with too little speech as it is", async () => {
    const models = await testModels("kokoro-q8", "xvector", "silero-vad");
    const refine = createRefiner({ kokoro: await kokoro.locate(models, "fast"), xvector: xvectorFiles(models) }, STEPS);
    const voice = {
      embedding: new Float32Array(128),
      prosody: "af_heart",
      pitch: 1,
      pitchRange: 1,
      pace: 1,
      encoder: "",
    };
    const recordings = [{ path: "", samples: new Int16Array(5 * ANALYSIS_RATE) }];
    const result = await refine({ voice, recordings, share: 1 }, never);
    assert.deepEqual(result, { refined: undefined, similarity: undefined });
  });
});
