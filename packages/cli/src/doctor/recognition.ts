import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createSpeech,
  createTranscription,
  type ModelStore,
  recognizerDescriptor,
  recognizerNames,
} from "@parlance/speech";
import { modelOf } from "../models.ts";
import { speechRequest } from "../say/request.ts";
import { chooseVoice } from "../say/voice.ts";
import { type Finding, fail, note, ok } from "./check.ts";
import { messageOf } from "./machine.ts";

const sentence = "This sentence was spoken and understood on your own machine.";

/** Synthesizes a sentence and transcribes it. */
export async function checkRecognition(store: ModelStore, signal: AbortSignal): Promise<Finding> {
  const voice = chooseVoice(undefined);
  const [engine] = recognizerNames;
  if (engine === undefined) throw new Error("there is no recognizer");
  const models = ["silero-vad", recognizerDescriptor(engine).model("base")];
  for (const id of models) {
    if (!(await store.has(id)))
      return note("recognition", `cannot transcribe without ${id}`, `parlance models pull ${models.join(" ")}`);
  }
  if (!(await store.has(modelOf(voice.engine))))
    return note("recognition", "there is no text-to-speech model to test it with", "See above.");
  const folder = await mkdtemp(join(tmpdir(), "parlance-doctor-"));
  const transcription = await createTranscription({ models: store, workers: 1 });
  try {
    const path = join(folder, "spoken.wav");
    await writeFile(path, await speak(store, signal));
    const started = performance.now();
    const { text, duration } = await transcription.transcribe(
      { path, language: "en", engine, granularity: "segment" },
      signal,
    );
    const seconds = (performance.now() - started) / 1000;
    if (!/understood on your own machine/i.test(text))
      return fail("recognition", `recognized "${text}" instead of "${sentence}"`, "Try parlance doctor --deep.");
    return ok(
      "recognition",
      `transcribed ${duration.toFixed(1)} s of speech in ${seconds.toFixed(1)} s, including the time to load the model`,
    );
  } catch (error) {
    signal.throwIfAborted();
    return fail(
      "recognition",
      `could not transcribe: ${messageOf(error)}`,
      "Try parlance doctor --deep, and PARLANCE_LOG=debug.",
    );
  } finally {
    await transcription.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function speak(store: ModelStore, signal: AbortSignal): Promise<Uint8Array> {
  const voice = chooseVoice(undefined);
  const speech = await createSpeech({ models: store, engines: [voice.engine], workers: 1 });
  try {
    const parts: Uint8Array[] = [];
    const request = speechRequest({ text: sentence, voice, format: "wav", speed: 1, volume: 0, seed: 1 });
    for await (const { bytes } of speech.speak(request, signal)) parts.push(bytes);
    signal.throwIfAborted();
    return Buffer.concat(parts);
  } finally {
    await speech.close();
  }
}
