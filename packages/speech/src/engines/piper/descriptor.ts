import type { EngineDescriptor } from "../descriptor.ts";
import type { PiperFiles } from "./files.ts";
import { piperLibritts } from "./models.ts";
import { piperVoices } from "./voices.ts";

/** Piper LibriTTS-R: 22.05 kHz, American English, 904 speakers. Any speaker embedding is a voice. */
export const piper: EngineDescriptor<"piper", PiperFiles> = {
  name: "piper",
  models: [piperLibritts],
  requiredModel: piperLibritts.id,
  voices: piperVoices,
  defaultVoices: { "": "clara", en: "clara" },
  loudness: -19.5,
  // Measured: 0.35 to 0.4 on a Neoverse-N1, 0.15 on x64. Too low a guess would accept streams that then run out of audio.
  cost: () => ({ busySecondsPerAudioSecond: 0.4, exclusive: false, leastThreads: 2 }),
  async locate(models) {
    return {
      model: models.path(piperLibritts.id, "model.onnx"),
      tokens: models.path(piperLibritts.id, "tokens.txt"),
    };
  },
  async load(files, options) {
    const { loadPiper } = await import("./piper.ts");
    return loadPiper(files, options);
  },
};
