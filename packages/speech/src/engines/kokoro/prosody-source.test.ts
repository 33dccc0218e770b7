import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { InferenceSession } from "onnxruntime-node";
import { createHighPass } from "../../audio/high-pass.ts";
import { loadEspeak } from "../../g2p/espeak.ts";
import { createPronouncer, type Pronouncer } from "../../g2p/pronounce.ts";
import { chunkOf } from "../../testing/chunks.ts";
import { testModels } from "../../testing/models.ts";
import { concatSamples, noise } from "../../testing/signals.ts";
import type { Engine, EngineVoice } from "../engine.ts";
import { openStudent } from "./decoders.ts";
import { kokoro } from "./descriptor.ts";
import type { KokoroFiles } from "./files.ts";
import { DECODER_FRAMES, leadFrames, loadKokoro } from "./kokoro.ts";
import { type EncodedPiece, loadKokoroProsody, type ProsodySource } from "./prosody-source.ts";
import { DECODER_OFFSETS } from "./student/offsets.ts";
import { studentFile } from "./student/student-file.ts";
import { createChunk, loadVoiceGradient, voiceOf } from "./student/voice-gradient.ts";
import { TIMBRE_SIZE } from "./style-size.ts";

const never = new AbortController().signal;
const cloned: EngineVoice = {
  ...{ language: "en-us", embedding: noise(TIMBRE_SIZE, 0.2), prosody: "am_michael" },
  ...{ pitch: 1.1, pitchRange: 0.8, decoderOffsets: noise(DECODER_OFFSETS, 0.1, 2) },
};
const chunk = chunkOf("Good morning.");

describe("the prosody of a text", { timeout: 120_000 }, () => {
  let files: KokoroFiles;
  let pronounce: Pronouncer;
  let engine: Engine;
  let source: ProsodySource;

  before(async () => {
    files = await kokoro.locate(await testModels("kokoro-q8"), "fast");
    pronounce = createPronouncer(await loadEspeak());
    engine = await loadKokoro(files, { quality: "fast", pronounce, threads: 1 });
    source = await loadKokoroProsody(files, { pronounce, threads: 1 });
  });
  after(() => Promise.all([engine.close(), source.close()]));

  test("leaves no session open when a file is missing", async (context) => {
    const { prototype } = InferenceSession as unknown as { prototype: InferenceSession };
    const release = context.mock.method(prototype, "release");
    const missing = { ...files, tokenizer: "/nonexistent" };
    await assert.rejects(loadKokoroProsody(missing, { pronounce, threads: 1 }), /ENOENT/);
    // The encoder has three.
    assert.equal(release.mock.callCount(), 3);
  });

  async function spoken(voice: EngineVoice, text = chunk): Promise<Float32Array> {
    const windows: Float32Array[] = [];
    const options = { speed: 1, temperature: 0, seed: 0 };
    for await (const { samples } of engine.synthesize(text, voice, options, never)) windows.push(samples);
    return concatSamples(windows);
  }
  async function pieces(voice: EngineVoice, text = chunk, signal?: AbortSignal): Promise<EncodedPiece[]> {
    const all: EncodedPiece[] = [];
    for await (const piece of source.prosodyOf(text, voice, signal)) all.push(piece);
    return all;
  }

  test("is what the engine decodes, with the offsets of a cloned voice", async () => {
    const decoder = await openStudent(1);
    for (const voice of [{ language: "en-us", embedding: "af_heart" }, cloned]) {
      const windows: Float32Array[] = [];
      for (const piece of await pieces(voice)) {
        const options = { lead: leadFrames(piece.framesOfToken) * DECODER_FRAMES, offsets: voice.decoderOffsets };
        for await (const samples of decoder.decode(piece, options)) windows.push(samples);
      }
      assert.deepEqual(concatSamples(windows), await spoken(voice));
    }
    await decoder.close();
  });

  test("is spoken by the decoder with gradients as by the engine", async () => {
    const gradient = await loadVoiceGradient(await readFile(studentFile), 1);
    const [piece] = await pieces(cloned);
    assert.ok(piece && cloned.decoderOffsets);
    const voice = { ...voiceOf(piece.style), offsets: cloned.decoderOffsets };
    const { samples } = await gradient.speak(createChunk(piece), voice);
    await gradient.close();
    createHighPass(engine.sampleRate, 40)(samples);
    const expected = await spoken(cloned);
    assert.equal(samples.length, expected.length);
    // The engine leaves out the silence at both ends.
    const first = expected.findIndex((sample) => sample !== 0);
    const last = expected.findLastIndex((sample) => sample !== 0);
    let worst = 0;
    for (let at = first; at <= last; at++) worst = Math.max(worst, Math.abs((samples[at] ?? 0) - (expected[at] ?? 0)));
    assert.ok(worst < 1e-3, `they differ by ${worst}`);
  });

  test("has the pitch of the voice", async () => {
    const [[own], [higher]] = [await pieces(cloned), await pieces({ ...cloned, pitch: 1.32 })];
    const voiced = own?.pitch.findIndex((hertz) => hertz > 80) ?? -1;
    assert.ok(Math.abs((higher?.pitch[voiced] ?? 0) / (own?.pitch[voiced] ?? 0) - 1.2) < 1e-3);
  });

  test("comes in pieces where a text is longer than the input of the model, and in none after an abort", async () => {
    const long = chunkOf("A very long sentence goes on and on without an end ".repeat(14));
    const all = await pieces(cloned, long);
    assert.ok(all.length > 1, `${all.length} pieces`);
    assert.deepEqual(
      [...new Set(all.flatMap(({ tokens }) => tokens.map(({ word }) => word)))].filter((word) => word >= 0),
      [...long.words.keys()],
    );
    assert.equal((await pieces(cloned, long, AbortSignal.abort())).length, 0);
  });

  test("offsets of another size or that are no numbers are refused; without a timbre they are not used", async () => {
    const message = /decoder offsets of a voice of Kokoro/;
    await assert.rejects(spoken({ ...cloned, decoderOffsets: new Float32Array(896) }), message);
    const wrong = new Float32Array(DECODER_OFFSETS).fill(Number.NaN);
    await assert.rejects(spoken({ ...cloned, decoderOffsets: wrong }), message);
    const stock = { language: "en-us", embedding: "af_heart" };
    assert.deepEqual(await spoken({ ...stock, decoderOffsets: wrong }), await spoken(stock));
    const { decoderOffsets: _, ...timbreAlone } = cloned;
    assert.notDeepEqual(await spoken(timbreAlone), await spoken(cloned));
  });
});
