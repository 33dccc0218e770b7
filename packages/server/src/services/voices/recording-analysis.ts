import type { AnalyzedRecording, ClonedRecording, NetworkVector } from "@parlance/speech";
import type { VoiceBlob } from "../../stores/voice-blobs.ts";
import { toBytes, toNumbers } from "./embedding.ts";

type Measured = Pick<ClonedRecording, "vector" | "pitch" | "pitchRange" | "speechSeconds">;

/**
 * The stored analysis of a recording: seconds of speech, pitch, x-vector. The range of the pitch is beside the numbers, since
 * earlier programs take all numbers after the pitch as the x-vector.
 */
export function analysisBlob({ vector, pitch, pitchRange, speechSeconds }: Measured): Omit<VoiceBlob, "number"> {
  const bytes = toBytes(Float32Array.of(speechSeconds, pitch ?? 0, ...vector));
  return { type: "float32", text: pitchRange === undefined ? null : pitchRange.toFixed(3), bytes };
}

export function toAnalysis({ bytes, text }: VoiceBlob): Omit<AnalyzedRecording, "text" | "networkVector"> {
  const [weight = 0, pitch = 0, ...vector] = toNumbers(bytes);
  return {
    weight,
    pitch: pitch === 0 ? undefined : pitch,
    pitchRange: text === null ? undefined : Number(text),
    vector: Float32Array.from(vector),
  };
}

/** Beside the rest of the analysis, for the same reason as the range of the pitch. */
export function networkVectorBlob({ values, network }: NetworkVector): Omit<VoiceBlob, "number"> {
  return { type: "float32", text: network, bytes: toBytes(values) };
}

export function toNetworkVector({ bytes, text }: VoiceBlob): NetworkVector {
  return { values: toNumbers(bytes), network: text ?? "" };
}
