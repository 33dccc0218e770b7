import { createSpeech, type ModelStore } from "@parlance/speech";
import { modelOf } from "../models.ts";
import { speechRequest } from "../say/request.ts";
import { chooseVoice } from "../say/voice.ts";
import { type Finding, fail, ok } from "./check.ts";
import { messageOf } from "./machine.ts";

const sentence = "Everything seems to be in order: this sentence was spoken on your own machine.";

/** Synthesizes a sentence with the default voice. */
export async function checkSynthesis(store: ModelStore, signal: AbortSignal): Promise<Finding> {
  const voice = chooseVoice(undefined);
  if (!(await store.has(modelOf(voice.engine))))
    return fail(
      "synthesis",
      "cannot synthesize speech without a model",
      `parlance models pull ${modelOf(voice.engine)}`,
    );
  try {
    const loading = performance.now();
    const speech = await createSpeech({ models: store, engines: [voice.engine], workers: 1 });
    try {
      const request = speechRequest({ text: sentence, voice, format: "pcm", speed: 1, volume: 0, seed: 1 });
      const started = performance.now();
      let first: number | undefined;
      let bytes = 0;
      for await (const part of speech.speak(request, signal)) {
        if (part.bytes.length > 0) first ??= performance.now();
        bytes += part.bytes.length;
      }
      signal.throwIfAborted();
      const audioSeconds = bytes / 2 / request.output.sampleRate;
      if (first === undefined || audioSeconds < 1)
        return fail("synthesis", `only ${audioSeconds.toFixed(1)} s of audio were produced`, "Please report this.");
      const factor = (performance.now() - started) / 1000 / audioSeconds;
      return ok(
        "synthesis",
        `synthesized ${audioSeconds.toFixed(1)} s: first audio after ${Math.round(first - started)} ms, real-time factor ${factor.toFixed(2)}, engine loaded in ${((started - loading) / 1000).toFixed(1)} s`,
      );
    } finally {
      await speech.close();
    }
  } catch (error) {
    signal.throwIfAborted();
    return fail(
      "synthesis",
      `could not synthesize speech: ${messageOf(error)}`,
      "Try parlance doctor --deep, and PARLANCE_LOG=debug.",
    );
  }
}
