import type { RecognizerDescriptor } from "../recognizer.ts";
import type { WhisperFiles } from "./files.ts";
import { whisperLanguages } from "./languages.ts";
import { whisperBase, whisperSmall, whisperTiny } from "./models.ts";

/** Whisper: about a hundred languages, in three sizes; also detects the language. */
export const whisper: RecognizerDescriptor<"whisper", WhisperFiles> = {
  name: "whisper",
  models: [whisperBase, whisperTiny, whisperSmall],
  languages: whisperLanguages,
  detectsLanguage: true,
  translates: true,
  takesHints: true,
  rejectsNonSpeech: false,
  liveCost: 0.6,
  sizeMeaning:
    "Size of the Whisper model, which transcribes languages other than English. Larger is more accurate and slower. `off`: English only. Also used by `parlance transcribe`.",
  model: (size) => `whisper-${size}`,
  locate(models, size) {
    const file = (name: string) => models.path(`whisper-${size}`, name);
    return {
      config: file("config.json"),
      generation: file("generation_config.json"),
      tokenizer: file("tokenizer.json"),
      encoder: file("onnx/encoder_model_quantized.onnx"),
      decoder: file("onnx/decoder_model_merged_quantized.onnx"),
    };
  },
  async load(files, threads) {
    const { loadWhisper } = await import("./whisper.ts");
    return loadWhisper(files, threads);
  },
};
