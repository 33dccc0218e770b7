import { siblingModule } from "../lib/child-process.ts";
import type { ClonedSound } from "../voices/clone/make-voice.ts";
import type { RefinementSpec } from "../voices/clone/refine/refinement.ts";

/** A process that answers as the refinement of voices does, without models. */
export const refinementEntry = siblingModule("./refinement-worker", import.meta.url);

export const noFiles: RefinementSpec = {
  kokoro: { model: "", tokenizer: "", voices: "" },
  xvector: { network: "", mean: "", transform: "" },
};

export const someVoice: ClonedSound = {
  embedding: new Float32Array(128).fill(0.25),
  prosody: "af_heart",
  pitch: 1.1,
  pitchRange: 0.9,
  pace: 1.05,
  encoder: "test",
};

/** The work on it goes on until its process ends. */
export const endlessVoice: ClonedSound = { ...someVoice, pace: Number.POSITIVE_INFINITY };
