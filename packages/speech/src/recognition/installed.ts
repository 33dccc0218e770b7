import type { ModelFiles } from "../engines/descriptor.ts";
import type { RecognizerSize } from "../engines/recognizer.ts";
import { type RecognizerName, recognizerDescriptors } from "../engines/registry.ts";
import { sileroVad } from "../engines/silero/models.ts";
import type { ModelStore } from "../models/index.ts";
import { xvectorFiles } from "../voices/clone/xvector/files.ts";
import { xvector } from "../voices/clone/xvector/models.ts";
import type { RecognitionSpec } from "./jobs.ts";

export interface InstalledRecognizers {
  /** The preferred one first. */
  readonly engines: readonly RecognizerName[];
  readonly spec: RecognitionSpec;
}

/** The recognizers whose models are installed; none without the voice activity model. */
export async function installedRecognizers(
  models: ModelStore,
  size: RecognizerSize,
  threads: number,
): Promise<InstalledRecognizers> {
  const hasVad = await models.has(sileroVad.id);
  const engines: RecognizerName[] = [];
  const recognizers: Partial<Record<RecognizerName, ModelFiles>> = {};
  for (const descriptor of recognizerDescriptors) {
    if (!hasVad || !(await models.has(descriptor.model(size)))) continue;
    engines.push(descriptor.name);
    recognizers[descriptor.name] = descriptor.locate(models, size);
  }
  const files = (await models.has(xvector.id)) ? xvectorFiles(models) : undefined;
  return {
    engines,
    spec: { threads, silero: models.path(sileroVad.id, "model.onnx"), recognizers, xvector: files },
  };
}
