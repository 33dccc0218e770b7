import { dirname } from "node:path";
import type { EngineDescriptor } from "../descriptor.ts";
import type { KokoroFiles } from "./files.ts";
import { kokoroFp32, kokoroQ8 } from "./models.ts";
import { studentFile } from "./student/student-file.ts";
import { TIMBRE_SIZE } from "./style-size.ts";
import { kokoroVoices } from "./voices.ts";

/** Kokoro 82M: 24 kHz, several languages; streams in its `fast` quality. */
export const kokoro: EngineDescriptor<"kokoro", KokoroFiles> = {
  name: "kokoro",
  models: [kokoroQ8, kokoroFp32],
  requiredModel: kokoroQ8.id,
  voices: kokoroVoices,
  approximateLanguages: [
    { tag: "de-DE", name: "de" },
    { tag: "id-ID", name: "id" },
  ],
  defaultVoices: {
    "": "af_heart",
    de: "if_sara",
    "en-GB": "bf_emma",
    en: "af_heart",
    es: "ef_dora",
    fr: "ff_siwis",
    hi: "hf_alpha",
    id: "ef_dora",
    it: "if_sara",
    ja: "jf_alpha",
    pt: "pf_dora",
    zh: "zf_xiaoxiao",
  },
  loudness: -22.5,
  cloning: {
    embeddingSize: TIMBRE_SIZE,
    decoder: studentFile,
    decoderOffsetsSize: 7_168,
    language: "en-us",
    encoder: new URL("../../../assets/voice-encoder/encoder.onnx", import.meta.url),
    speakerNetwork: new URL("../../../assets/voice-encoder/speaker-network.onnx", import.meta.url),
    // The clearest voices: others of a nearer pitch make cloned voices no more similar.
    prosodies: [
      { slug: "af_heart", lettersPerSecond: 16.4, pitchRange: 0.33 },
      { slug: "am_michael", lettersPerSecond: 14.8, pitchRange: 0.42 },
    ],
  },
  switchMeaning:
    "Whether the Kokoro engine is used. `off` uses Piper alone, which needs less memory and CPU, and does not fetch Kokoro's model.",
  qualityMeaning:
    "Decoder of the Kokoro engine. `full` is the original decoder: best quality, more than ten times the CPU time, and no streaming inside a sentence. Also used by `parlance say`.",
  cost: (quality) =>
    quality === "full"
      ? { busySecondsPerAudioSecond: 1, exclusive: true, leastThreads: 1 }
      : // Measured: 0.06 on a Neoverse-N1. Other cores may be slower.
        { busySecondsPerAudioSecond: 0.1, exclusive: false, leastThreads: 2 },
  async locate(models, quality) {
    // The encoder of the quantized model is as good as the full one and faster. Its decoder is not, so the full model is
    // used in `full` quality where it is installed.
    const full = quality === "full" && (await models.has(kokoroFp32.id));
    return {
      model: models.path(full ? kokoroFp32.id : kokoroQ8.id, "model.onnx"),
      tokenizer: models.path(kokoroQ8.id, "tokenizer.json"),
      voices: dirname(models.path(kokoroQ8.id, "voices/af_heart.bin")),
    };
  },
  async load(files, options) {
    const { loadKokoro } = await import("./kokoro.ts");
    return loadKokoro(files, options);
  },
};
