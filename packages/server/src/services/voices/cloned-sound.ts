import { type ClonedSound, type CustomVoice, cloningEngine } from "@parlance/speech";
import type { StoredSound } from "../../stores/refinement-queue.ts";
import type { VoiceBlob } from "../../stores/voice-blobs.ts";
import { toBytes, toNumbers } from "./embedding.ts";

/** The languages of a cloned voice (ISO 639-1): all that the engine has voices for. */
export const clonedLanguages: readonly string[] = [
  ...new Set(cloningEngine.voices.map(({ language }) => language.split("-")[0] ?? language)),
];

export function soundOf({ prosody, pace, pitch }: ClonedSound): StoredSound {
  const thousandths = (value: number): number => Math.round(value * 1000);
  return { engine: cloningEngine.name, speaker: prosody, pace: thousandths(pace), pitch: thousandths(pitch) };
}

export function embeddingBlob({ embedding }: ClonedSound): VoiceBlob {
  return { number: 0, type: "float32", text: null, bytes: toBytes(embedding) };
}

/** The inverse of `soundOf` and `embeddingBlob`. */
export function clonedSound({ speaker, pace, pitch }: StoredSound, embedding: Buffer): ClonedSound {
  return { embedding: toNumbers(embedding), prosody: speaker, pace: pace / 1000, pitch: pitch / 1000 };
}

/** The voice as its engine takes it. */
export function customVoice(voice: StoredSound, embedding: Buffer): CustomVoice {
  if (voice.engine === cloningEngine.name) return clonedSound(voice, embedding);
  // Cloned for Piper: a speaker of its own may speak instead of the embedding.
  return { embedding: voice.speaker === "" ? toNumbers(embedding) : voice.speaker, pace: voice.pace / 1000 };
}
