import { readFile } from "node:fs/promises";
import { floats, floatsOf, openSession } from "../engines/session.ts";
import type { HeardSpeaker } from "./heard-speaker.ts";
import { FEATURES, featuresOf } from "./linear-map.ts";

/** From what a speaker sounds like to Piper's vector for him, at once. */
export interface VoiceEncoder {
  encode(speaker: HeardSpeaker): Promise<Float32Array>;
  close(): Promise<void>;
}

export const encoderFile = new URL("../../assets/voice-encoder/encoder.onnx", import.meta.url);

/** A network that was trained through Piper itself: what it says was spoken, heard, and compared with who was meant. */
export async function loadVoiceEncoder(file: URL = encoderFile): Promise<VoiceEncoder> {
  const session = await openSession(await readFile(file), 1);
  return {
    async encode(speaker) {
      const heard = Float32Array.from(featuresOf(speaker), (value) => value ?? Number.NaN);
      return floatsOf(await session.run({ heard: floats(heard, 1, FEATURES) }), "voice");
    },
    close: () => session.release(),
  };
}
