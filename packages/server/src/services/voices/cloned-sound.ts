import { type ClonedSound, type CustomVoice, cloningEngine } from "@parlance/speech";
import type { StoredSound } from "../../stores/refinement-queue.ts";
import type { VoiceBlob } from "../../stores/voice-blobs.ts";
import { toBytes, toNumbers } from "./embedding.ts";

/** The languages of a cloned voice (ISO 639-1): all that the engine has voices for. */
export const clonedLanguages: readonly string[] = [
  ...new Set(cloningEngine.voices.map(({ language }) => language.split("-")[0] ?? language)),
];

export function soundOf({ prosody, pace, pitch, pitchRange }: ClonedSound): StoredSound {
  const thousandths = (value: number): number => Math.round(value * 1000);
  return {
    engine: cloningEngine.name,
    speaker: prosody,
    pace: thousandths(pace),
    pitch: thousandths(pitch),
    pitchRange: thousandths(pitchRange),
  };
}

export function embeddingBlob({ embedding, encoder }: ClonedSound): VoiceBlob {
  return { number: 0, type: "float32", text: encoder === "" ? null : encoder, bytes: toBytes(embedding) };
}

/** The voice as its engine takes it: the inverse of `soundOf` and `embeddingBlob`. */
export function customVoice(voice: StoredSound, embedding: Buffer): CustomVoice {
  if (voice.engine === cloningEngine.name) {
    const { speaker: prosody, pace, pitch, pitchRange } = voice;
    const sound = { pace: pace / 1000, pitch: pitch / 1000, pitchRange: pitchRange / 1000 };
    return { embedding: toNumbers(embedding), prosody, ...sound };
  }
  // Cloned for Piper: a speaker of its own may speak instead of the embedding.
  return { embedding: voice.speaker === "" ? toNumbers(embedding) : voice.speaker, pace: voice.pace / 1000 };
}
