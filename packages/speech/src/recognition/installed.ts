import { moonshineFiles } from "../engines/catalogue.ts";
import { languageNames } from "../engines/whisper/languages.ts";
import type { WhisperFiles } from "../engines/whisper/whisper.ts";
import type { ModelStore } from "../models/index.ts";
import type { RecognizerName } from "../transcript.ts";
import type { ListenerSpec } from "./jobs.ts";

export type WhisperSize = "tiny" | "base" | "small";

export interface InstalledRecognizers {
  readonly engines: readonly RecognizerName[];
  languages(engine: RecognizerName): readonly string[];
  readonly spec: ListenerSpec;
}

const english: readonly string[] = ["en"];
const all: readonly string[] = Object.keys(languageNames);

/** What can be listened with. Nothing can without the model that finds speech. */
export async function installedRecognizers(
  models: ModelStore,
  whisper: WhisperSize,
  threads: number,
): Promise<InstalledRecognizers> {
  const has = async (id: string) => (await models.has("silero-vad")) && (await models.has(id));
  const spec: ListenerSpec = {
    threads,
    silero: models.path("silero-vad", "model.onnx"),
    moonshine: (await has("moonshine-base")) ? moonshineFiles(models) : undefined,
    whisper: (await has(`whisper-${whisper}`)) ? whisperFiles(models, whisper) : undefined,
  };
  const engines: RecognizerName[] = [];
  if (spec.moonshine) engines.push("moonshine");
  if (spec.whisper) engines.push("whisper");
  return { engines, languages: (engine) => (engine === "moonshine" ? english : all), spec };
}

export function whisperFiles(models: ModelStore, size: WhisperSize): WhisperFiles {
  const file = (name: string) => models.path(`whisper-${size}`, name);
  return {
    config: file("config.json"),
    generation: file("generation_config.json"),
    tokenizer: file("tokenizer.json"),
    encoder: file("onnx/encoder_model_quantized.onnx"),
    decoder: file("onnx/decoder_model_merged_quantized.onnx"),
  };
}
