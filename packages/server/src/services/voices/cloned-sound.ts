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

/** The voice as its engine takes it: the inverse of `soundOf`, `embeddingBlob` and `decoderOffsetsBlob`. */
export function customVoice(voice: StoredSound, { embedding: stored, decoderOffsets }: StoredNumbers): CustomVoice {
  const embedding = stored.bytes;
  if (voice.engine === cloningEngine.name) {
    const { speaker: prosody, pace, pitch, pitchRange } = voice;
    const sound = { pace: pace / 1000, pitch: pitch / 1000, pitchRange: pitchRange / 1000 };
    const isRefined = decoderOffsets?.text === hashOf(embedding);
    const offsets = isRefined ? { decoderOffsets: toNumbers(decoderOffsets.bytes) } : {};
    return { embedding: toNumbers(embedding), ...offsets, prosody, ...sound };
  }
  // Cloned for Piper: a speaker of its own may speak instead of the embedding.
  return { embedding: voice.speaker === "" ? toNumbers(embedding) : voice.speaker, pace: voice.pace / 1000 };
}
