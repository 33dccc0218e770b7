import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import type { ModelStore } from "../../models/index.ts";
import { testModels } from "../../testing/models.ts";
import { CloneError, type Cloning, createCloning } from "./index.ts";
import { cosine } from "./xvector/xvector.ts";

const never = new AbortController().signal;

// Refining a voice takes minutes where other work is done beside it.
describe("making a voice", { timeout: 1_800_000 }, () => {
  let models: ModelStore;
  let cloning: Cloning;
  let folder: string;
  before(async () => {
    models = await testModels("piper-libritts", "xvector", "silero-vad", "test-speech");
    cloning = await createCloning({
      models,
      leastSeconds: 1,
      mostSeconds: 120,
      effort: { population: 4, generations: 1 },
    });
    folder = await mkdtemp(join(tmpdir(), "parlance-clone-test-"));
  });
  after(async () => {
    await cloning.close();
    await rm(folder, { recursive: true, force: true });
  });
  const reader = (clip: string) =>
    models.path("test-speech", `librivox/sense_and_sensibility_01_austen_64kb-${clip}.wav`);
  const request = (...recordings: string[]) => ({ recordings, enhance: false, keep: true });
  const refused = (recordings: string[], recording: number, message: RegExp) =>
    assert.rejects(cloning.create(request(...recordings), never), (error) => {
      assert.ok(error instanceof CloneError, String(error));
      assert.equal(error.recording, recording);
      assert.match(error.message, message);
      return true;
    });
  /** A recording changed sample by sample. */
  const changed = async (
    name: string,
    source: string,
    change: (samples: Int16Array) => Int16Array,
  ): Promise<string> => {
    const bytes = await readFile(source);
    const samples = new Int16Array(Uint8Array.from(bytes.subarray(44)).buffer.slice(0, (bytes.length - 44) & ~1));
    const head = Buffer.from(bytes.subarray(0, 44));
    const result = change(samples);
    head.writeUInt32LE(36 + result.length * 2, 4);
    head.writeUInt32LE(result.length * 2, 40);
    const path = join(folder, name);
    await writeFile(path, Buffer.concat([head, Buffer.from(result.buffer, result.byteOffset, result.byteLength)]));
    return path;
  };

  it("hears the same speaker in several recordings, and gives their speech back", async () => {
    const { recordings, embedding } = await cloning.create(request(reader("0870"), reader("0920")), never);
    assert.equal(embedding.length, 512);
    assert.ok(embedding.every(Number.isFinite));
    const [one, two] = recordings;
    assert.ok(one && two);
    assert.ok(cosine(one.vector, two.vector) > 0.5, String(cosine(one.vector, two.vector)));
    assert.ok(one.pitch && two.pitch && one.pitch > 60 && one.pitch < 400);
    for (const { kept, speechSeconds } of recordings) {
      assert.equal(Buffer.from(kept ?? []).toString("latin1", 0, 4), "OggS");
      assert.ok(speechSeconds > 3 && speechSeconds < 8, String(speechSeconds));
    }
  });

  it("gives the same voice for the same recordings", async () => {
    const voices = await Promise.all([1, 2].map(() => cloning.create(request(reader("0870")), never)));
    assert.deepEqual(voices[0]?.embedding, voices[1]?.embedding);
  });

  it("refuses what is no recording, and says which one it was", async () => {
    const text = join(folder, "text.wav");
    await writeFile(text, "RIFF, but not really");
    await refused([reader("0870"), text], 1, /cannot be decoded/);
  });

  it("refuses silence, too little speech, and what is cut off at its peaks", async () => {
    const source = reader("0870");
    await refused([await changed("silence.wav", source, (samples) => samples.map(() => 0))], 0, /no speech/);
    await refused([await changed("short.wav", source, (samples) => samples.slice(0, 8000))], 0, /too short/);
    await refused(
      [
        await changed("loud.wav", source, (samples) =>
          samples.map((value) => Math.max(-32768, Math.min(32767, value * 20))),
        ),
      ],
      0,
      /too loud/,
    );
    const padded = (samples: Int16Array) => {
      const long = new Int16Array(16_000 * 4);
      long.set(samples.subarray(8000, 8000 + 12_000), 16_000);
      return long;
    };
    await refused([await changed("little.wav", source, padded)], 0, /only 0\.\d s of speech/);
  });

  it("refuses two speakers, in two recordings and in one", async () => {
    const kennedy = models.path("test-speech", "jfk.wav");
    await refused([reader("0870"), kennedy], 1, /another person than recording 1/);
    const second = await readFile(kennedy);
    const both = await changed("both.wav", reader("0870"), (samples) => {
      const other = new Int16Array(Uint8Array.from(second.subarray(44)).buffer.slice(0, 2 * samples.length));
      return Int16Array.from([...samples, ...other]);
    });
    await refused([both], 0, /several speakers/);
  });

  it("cleans a noisy recording so that its speaker is recognised better", async () => {
    const clean = await cloning.create(request(reader("0870")), never);
    let noise = 1;
    const hissing = await changed("noisy.wav", reader("0870"), (samples) => {
      // With a second of noise alone, as recordings have.
      const long = new Int16Array(samples.length + 32_000);
      long.set(samples, 16_000);
      return long.map((value) => {
        noise = (Math.imul(noise, 1664525) + 1013904223) | 0;
        return Math.max(-32768, Math.min(32767, value + (noise >> 21)));
      });
    });
    const like = async (enhance: boolean) => {
      const { recordings } = await cloning.create({ recordings: [hissing], enhance, keep: false }, never);
      return cosine(
        recordings[0]?.vector ?? new Float32Array(128),
        clean.recordings[0]?.vector ?? new Float32Array(128),
      );
    };
    const [noisy, cleaned] = [await like(false), await like(true)];
    assert.ok(cleaned > noisy, `${cleaned} instead of ${noisy}`);
  });

  it("brings a voice closer to its speaker, and never further away", async () => {
    const { recordings, embedding } = await cloning.create(request(reader("0870")), never);
    const heard = recordings.map(({ vector, pitch, speechSeconds }) => ({ vector, pitch, weight: speechSeconds }));
    const quick = await cloning.refine({ recordings: heard, embedding, lettersPerSecond: 14, pass: "quick" }, never);
    assert.ok(quick.similarity > quick.startSimilarity, JSON.stringify(quick));
    assert.ok(quick.pace >= 0.8 && quick.pace <= 1.25);
    assert.ok(typeof quick.embedding !== "string" && quick.embedding.length === 512);
    const thorough = await cloning.refine({ recordings: heard, embedding: quick.embedding, pass: "thorough" }, never);
    assert.ok(thorough.similarity >= thorough.startSimilarity - 0.02);
    assert.equal(thorough.pace, 1);
  });

  it("stops when nobody waits for it any more", async () => {
    const controller = new AbortController();
    const work = cloning.create(request(reader("0870")), controller.signal);
    controller.abort(new Error("gone"));
    await assert.rejects(work, /gone/);
  });
});

it("says which models are missing", async (context: TestContext) => {
  const models = await testModels();
  const cloning = await createCloning({
    models: { ...models, has: async (id) => id !== "xvector" },
    leastSeconds: 1,
    mostSeconds: 120,
  });
  context.after(() => cloning.close());
  assert.deepEqual(cloning.missing(), ["xvector"]);
  await assert.rejects(cloning.create({ recordings: ["x"], enhance: false, keep: false }, never), /xvector/);
});
