import { cloningEngine } from "../../engines/registry.ts";
import { concatBytes } from "../../lib/concat.ts";
import type { Speech } from "../../speech.ts";
import { defaultRequest } from "../../synthesis/default-request.ts";
import { ANALYSIS_RATE } from "./extract-speech.ts";
import { TRIAL_SENTENCES } from "./trials.ts";

/** Speaks a test sentence with an embedding: mono PCM, 16 bits, little-endian, `ANALYSIS_RATE` samples a second. */
export type TrialSpeech = (embedding: string | Float32Array, signal: AbortSignal) => Promise<Uint8Array>;

/** The stock speakers were measured with the other sentences, in which they would fit too well. */
export const TRIAL_SENTENCE = TRIAL_SENTENCES[2];

/**
 * Speaks the test sentences of cloning with the workers of a `Speech`, so that no other model has to be loaded for it.
 *
 * @example
 * ```ts
 * import { createCloning, createTrialSpeech, type ModelStore, type Speech } from "@parlance/speech";
 *
 * function openCloning(models: ModelStore, speech: Speech) {
 *   return createCloning({ models, minSeconds: 1, maxSeconds: 120, trialSpeech: createTrialSpeech(speech) });
 * }
 * ```
 */
export function createTrialSpeech(speech: Pick<Speech, "speak">): TrialSpeech {
  return async (embedding, signal) => {
    const output = { format: "pcm", sampleRate: ANALYSIS_RATE, mp3Bitrate: 128, opusBitrate: "auto" } as const;
    const voice = { id: "trial", engine: cloningEngine.name, custom: { embedding, pace: 1 } };
    const request = defaultRequest(TRIAL_SENTENCE, voice, { output, latency: "normal", internal: true });
    const pieces: Uint8Array[] = [];
    for await (const { bytes } of speech.speak(request, signal)) pieces.push(bytes);
    return concatBytes(pieces);
  };
}
