import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it, type TestContext } from "node:test";
import { until } from "../../../../../tests/support/until.ts";
import { SpeechError } from "../../errors.ts";
import type { ModelStore } from "../../models/index.ts";
import { testModels } from "../../testing/models.ts";
import { someVoice } from "../../testing/refinement-jobs.ts";
import { CloneError, type Cloning, createCloning } from "./index.ts";
import { cosine } from "./xvector/vectors.ts";

const never = new AbortController().signal;

describe("cloning", () => {
  let models: ModelStore;
  let cloning: Cloning;
  let folder: string;
  before(async () => {
    models = await testModels("kokoro-q8", "xvector", "silero-vad", "test-speech");
    cloning = await createCloning({
      models,
      minSeconds: 1,
      maxSeconds: 120,
    });
    folder = await mkdtemp(join(tmpdir(), "parlance-clone-test-"));
  });
  after(async () => {
    await cloning.close();
    await rm(folder, { recursive: true, force: true });
  });
  const reader = (clip: string) =>
    models.path("test-speech", `librivox/sense_and_sensibility_01_austen_64kb-${clip}.wav`);
  const request = (...recordings: string[]) => ({ recordings, enhance: false, keepSpeech: true });
  const refused = (recordings: string[], recording: number, message: RegExp) =>
    assert.rejects(cloning.create(request(...recordings), never), (error) => {
      assert.ok(error instanceof CloneError, String(error));
      assert.equal(error.recording, recording);
      assert.match(error.message, message);
      return true;
    });
  /** Writes a modified recording. */
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

  it("finds the same speaker in several recordings, and returns their speech", async () => {
    const { recordings, voice } = await cloning.create(request(reader("0870"), reader("0920")), never);
    assert.equal(voice.embedding.length, 128);
    assert.ok(voice.embedding.every(Number.isFinite));
    const [one, two] = recordings;
    assert.ok(one && two);
    assert.ok(cosine(one.vector, two.vector) > 0.5, String(cosine(one.vector, two.vector)));
    assert.ok(one.networkVector && two.networkVector);
    for (const { values } of [one.networkVector, two.networkVector])
      assert.ok(values.length === 128 && Math.abs(Math.hypot(...values) - 1) < 1e-5);
    assert.equal(one.networkVector.network, await cloning.speakerNetworkVersion());
    assert.equal(voice.encoder, await cloning.encoderVersion());
    assert.ok(one.pitch && two.pitch && one.pitch > 60 && one.pitch < 400);
    for (const { speech, speechSeconds } of recordings) {
      assert.equal(Buffer.from(speech ?? []).toString("latin1", 0, 4), "OggS");
      assert.ok(speechSeconds > 3 && speechSeconds < 8, String(speechSeconds));
    }
  });

  it("delays a voice by few of the recordings that another owner has sent", { timeout: 120_000 }, async () => {
    const workFolder = await mkdtemp(join(folder, "turns-"));
    const other = { ...request(reader("0870"), reader("0920")), workFolder, owner: "ada" };
    const leaving = new AbortController();
    const others = Array.from({ length: 8 }, () => cloning.create(other, leaving.signal));
    const all = Promise.allSettled(others);
    /** Voices that are not made yet and have this recording, which is decoded when the one before is analyzed. */
    const having = async (recording: number): Promise<number> => {
      const folders = await readdir(workFolder);
      return folders.filter((each) => existsSync(join(workFolder, each, String(recording)))).length;
    };
    await until(async () => (await having(0)) === others.length, { what: "all recordings wait for their analysis" });
    await cloning.create({ ...request(reader("0920")), owner: "bob" }, never);
    const waiting = (await having(0)) - (await having(1));
    assert.ok(waiting >= 4, `only ${waiting} of ${others.length} recordings still wait`);
    leaving.abort(new Error("gone"));
    await all;
  });

  it("makes the same voice from the same recordings, and again from their analysis", async () => {
    const texts = ["He was not an ill disposed young man."];
    const make = () => cloning.create({ ...request(reader("0870")), texts }, never);
    const [one, two] = await Promise.all([make(), make()]);
    assert.deepEqual(one.voice, two.voice);
    const heard = one.recordings.map((each, index) => ({ ...each, weight: each.speechSeconds, text: texts[index] }));
    assert.deepEqual(await cloning.remake(heard, never), one.voice);
  });

  it("measures the vector of the speaker network again from the speech of a recording", {
    timeout: 60_000,
  }, async () => {
    const [recording] = (await cloning.create(request(reader("0870")), never)).recordings;
    const path = join(folder, "speech.ogg");
    await writeFile(path, recording?.speech ?? "");
    const again = await cloning.networkVectorOf({ path, workFolder: folder }, never);
    assert.ok(again && recording?.networkVector);
    assert.equal(again.network, recording.networkVector.network);
    // It has been encoded and decoded since.
    const similarity = cosine(again.values, recording.networkVector.values);
    assert.ok(similarity > 0.8, String(similarity));
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.startsWith("parlance-voice-")),
      [],
    );
  });

  it("refuses a file that is not a recording, and names it", async () => {
    const text = join(folder, "text.wav");
    await writeFile(text, "RIFF, but not really");
    await refused([reader("0870"), text], 1, /cannot be decoded/);
  });

  it("refuses silence, too little speech, and clipped speech", async () => {
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
    const mostlySilent = (samples: Int16Array) => {
      const long = new Int16Array(16_000 * 4);
      long.set(samples.subarray(8000, 8000 + 12_000), 16_000);
      return long;
    };
    await refused([await changed("little.wav", source, mostlySilent)], 0, /only 0\.\d s of speech/);
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

  it("reduces noise so that the speaker is recognized better", async () => {
    const clean = await cloning.create(request(reader("0870")), never);
    let noise = 1;
    const noisyFile = await changed("noisy.wav", reader("0870"), (samples) => {
      // With a second of noise alone, as in real recordings.
      const long = new Int16Array(samples.length + 32_000);
      long.set(samples, 16_000);
      return long.map((value) => {
        noise = (Math.imul(noise, 1664525) + 1013904223) | 0;
        return Math.max(-32768, Math.min(32767, value + (noise >> 21)));
      });
    });
    const similarity = async (enhance: boolean) => {
      const { recordings } = await cloning.create({ recordings: [noisyFile], enhance, keepSpeech: false }, never);
      return cosine(
        recordings[0]?.vector ?? new Float32Array(128),
        clean.recordings[0]?.vector ?? new Float32Array(128),
      );
    };
    const [noisy, cleaned] = [await similarity(false), await similarity(true)];
    assert.ok(cleaned > noisy, `${cleaned} instead of ${noisy}`);
  });

  it("refines no voice that another version of the voice encoder has made", { timeout: 60_000 }, async () => {
    const refine = (encoder: string) =>
      cloning.refine({ recordings: [], voice: { ...someVoice, encoder }, share: 1 }, never);
    await assert.rejects(refine("other"), (error) => error instanceof SpeechError && error.code === "not_ready");
    for (const encoder of ["", await cloning.encoderVersion()])
      assert.deepEqual(await refine(encoder), { voice: undefined, similarity: undefined });
  });

  it("stops when the signal aborts", async () => {
    const controller = new AbortController();
    const work = cloning.create(request(reader("0870")), controller.signal);
    controller.abort(new Error("aborted"));
    await assert.rejects(work, /aborted/);
  });
});

it("reports which models are missing", async (context: TestContext) => {
  const models = await testModels();
  const cloning = await createCloning({
    models: { ...models, has: async (id) => id !== "xvector" },
    minSeconds: 1,
    maxSeconds: 120,
  });
  context.after(() => cloning.close());
  assert.deepEqual(cloning.missingModels(), ["xvector"]);
  await assert.rejects(cloning.create({ recordings: ["x"], enhance: false, keepSpeech: false }, never), /xvector/);
});
