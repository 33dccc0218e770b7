import { createHash } from "node:crypto";
import { type ClonedSound, type CustomVoice, cloningEngine } from "@parlance/speech";
import type { StoredSound } from "../../stores/remake-queue.ts";
import type { StoredNumbers, VoiceBlob } from "../../stores/voice-blobs.ts";
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

/** Offsets belong to one embedding. With that of another they would be noise, so they carry its hash. */
export function decoderOffsetsBlob(decoderOffsets: Float32Array, { bytes }: VoiceBlob): VoiceBlob {
  return { number: 0, type: "float32", text: hashOf(bytes), bytes: toBytes(decoderOffsets) };
}

function hashOf(embedding: Buffer): string {
  return createHash("sha256").update(embedding).digest("hex");
}

/** The voice without offsets: the inverse of `soundOf` and `embeddingBlob`. */
export function storedVoice(
  { speaker, pace, pitch, pitchRange }: StoredSound,
  { bytes, text }: VoiceBlob,
): ClonedSound {
  const sound = { pace: pace / 1000, pitch: pitch / 1000, pitchRange: pitchRange / 1000 };
  return { embedding: toNumbers(bytes), prosody: speaker, ...sound, encoder: text ?? "" };
}

/** The voice as its engine takes it. */
export function customVoice(voice: StoredSound, { embedding, decoderOffsets }: StoredNumbers): CustomVoice {
  if (voice.engine === cloningEngine.name) {
    const { encoder: _, ...sound } = storedVoice(voice, embedding);
    if (decoderOffsets?.text !== hashOf(embedding.bytes)) return sound;
    const offsets = toNumbers(decoderOffsets.bytes);
    // Another version has another decoder; it makes the voice anew soon.
    return offsets.length === cloningEngine.cloning.decoderOffsetsSize ? { ...sound, decoderOffsets: offsets } : sound;
  }
  // Cloned for Piper: a speaker of its own may speak instead of the embedding.
  return { embedding: voice.speaker === "" ? toNumbers(embedding.bytes) : voice.speaker, pace: voice.pace / 1000 };
}
