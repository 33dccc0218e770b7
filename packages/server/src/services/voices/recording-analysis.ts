import type { VoiceBlob } from "../../stores/voice-blobs.ts";
import { toNumbers } from "./embedding.ts";

/** The stored analysis of a recording: seconds of speech, pitch, x-vector. */
export function toAnalysis({ bytes }: VoiceBlob) {
  const [weight = 0, pitch = 0, ...vector] = toNumbers(bytes);
  return { weight, pitch: pitch === 0 ? undefined : pitch, vector: Float32Array.from(vector) };
}
