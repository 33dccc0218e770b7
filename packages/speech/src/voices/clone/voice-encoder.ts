import { fileURLToPath } from "node:url";
import { SPEAKER_SIZE } from "../../engines/piper/stages.ts";
import { floats, floatsOf, openSession } from "../../engines/session.ts";
import type { HeardSpeaker } from "./analyzed-speaker.ts";
import { FEATURES, featuresOf } from "./linear-map.ts";

/** From what a speaker sounds like to Piper's vector for him, at once. */
export interface VoiceEncoder {
  encode(speaker: HeardSpeaker): Promise<Float32Array>;
  close(): Promise<void>;
}

const encoderFile = new URL("../../../assets/voice-encoder/encoder.onnx", import.meta.url);

/** A network that was trained through Piper itself: what it says was spoken, heard, and compared with who was meant. */
export async function loadVoiceEncoder(file: URL = encoderFile): Promise<VoiceEncoder> {
  const session = await openSession(fileURLToPath(file), 1);
  return {
    async encode(speaker) {
      // NaN is what the network takes for not known: of an x-vector that is no number it would make just any voice.
      if (!speaker.vector.every(Number.isFinite)) throw new RangeError("there is no speaker to make a voice of");
      const heard = Float32Array.from(featuresOf(speaker), (value) => value ?? Number.NaN);
      const voice = floatsOf(await session.run({ heard: floats(heard, 1, FEATURES) }), "voice");
      if (voice.length !== SPEAKER_SIZE || !voice.every(Number.isFinite)) throw new Error("the encoder gave no voice");
      return voice;
    },
    close: () => session.release(),
  };
}
