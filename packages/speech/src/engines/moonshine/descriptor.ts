import type { RecognizerDescriptor } from "../recognizer.ts";
import type { MoonshineFiles } from "./files.ts";
import { moonshineBase, moonshineTiny } from "./models.ts";

/** Moonshine base: English only, several times faster than Whisper, and silent where nobody speaks. */
export const moonshine: RecognizerDescriptor<"moonshine", MoonshineFiles> = {
  name: "moonshine",
  models: [moonshineBase, moonshineTiny],
  languages: ["en"],
  detectsLanguage: false,
  translates: false,
  takesHints: false,
  rejectsNonSpeech: true,
  liveCost: 0.3,
  model: () => moonshineBase.id,
  locate(models) {
    const file = (name: string) => models.path(moonshineBase.id, name);
    return {
      encoder: file("encoder_model.onnx"),
      decoder: file("decoder_model_merged.onnx"),
      vocabulary: file("tokens.txt"),
    };
  },
  async load(files, threads) {
    const { loadMoonshine } = await import("./moonshine.ts");
    return loadMoonshine(files, threads);
  },
};
