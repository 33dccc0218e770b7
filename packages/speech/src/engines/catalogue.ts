import { dirname } from "node:path";
import type { ModelStore } from "../models/index.ts";
import type { EngineName } from "../speech.ts";
import type { KokoroQuality } from "./kokoro/voicing.ts";
import type { EngineSpec } from "./load.ts";
import type { MoonshineFiles } from "./moonshine/moonshine.ts";

/** How to load an engine from the models that are installed; undefined while they are not. */
export async function engineSpec(
  engine: EngineName,
  models: ModelStore,
  threads: number,
  kokoroQuality: KokoroQuality = "fast",
): Promise<EngineSpec | undefined> {
  switch (engine) {
    case "piper": {
      const id = "piper-libritts";
      if (!(await models.has(id))) return undefined;
      const files = { model: models.path(id, "model.onnx"), tokens: models.path(id, "tokens.txt") };
      return { engine, threads, files };
    }
    case "kokoro": {
      // The quantised model's download brings the voices. Its encoder is as good as the full one and quicker; its
      // decoder is not, where somebody fetched the full one.
      const id = "kokoro-q8";
      if (!(await models.has(id))) return undefined;
      const full = kokoroQuality === "full" && (await models.has("kokoro-fp32"));
      return {
        engine,
        threads,
        quality: kokoroQuality,
        files: {
          model: models.path(full ? "kokoro-fp32" : id, "model.onnx"),
          tokenizer: models.path(id, "tokenizer.json"),
          voices: dirname(models.path(id, "voices/af_heart.bin")),
        },
      };
    }
  }
}

export function moonshineFiles(models: ModelStore): MoonshineFiles {
  const file = (name: string) => models.path("moonshine-base", name);
  return {
    encoder: file("encoder_model.onnx"),
    decoder: file("decoder_model_merged.onnx"),
    vocabulary: file("tokens.txt"),
  };
}
