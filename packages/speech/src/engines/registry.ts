import type { CloningAssets, EngineDescriptor } from "./descriptor.ts";
import { kokoro } from "./kokoro/descriptor.ts";
import { moonshine } from "./moonshine/descriptor.ts";
import { piper } from "./piper/descriptor.ts";
import type { RecognizerDescriptor } from "./recognizer.ts";
import { whisper } from "./whisper/descriptor.ts";

/** The synthesis engines, the preferred one first. The others are used where it is not installed or cannot be loaded. */
const synthesisEngines = [kokoro, piper] as const;

/** The recognizers, the preferred one for a language first. */
const recognizers = [moonshine, whisper] as const;

export type EngineName = (typeof synthesisEngines)[number]["name"];
export type RecognizerName = (typeof recognizers)[number]["name"];

/** Names of the synthesis engines, the preferred one first. */
export const engineNames: readonly EngineName[] = synthesisEngines.map(({ name }) => name);
/** Names of the recognizers, the preferred one first. */
export const recognizerNames: readonly RecognizerName[] = recognizers.map(({ name }) => name);

export const engineDescriptors: readonly EngineDescriptor<EngineName>[] = synthesisEngines;
export const recognizerDescriptors: readonly RecognizerDescriptor<RecognizerName>[] = recognizers;

export function engineDescriptor(name: EngineName): EngineDescriptor<EngineName> {
  return find(engineDescriptors, name);
}

export function recognizerDescriptor(name: RecognizerName): RecognizerDescriptor<RecognizerName> {
  return find(recognizerDescriptors, name);
}

/** The engine that speaks with cloned voices, and the files for it. */
export const cloningEngine = findCloningEngine();

function findCloningEngine(): EngineDescriptor<EngineName> & { readonly cloning: CloningAssets } {
  for (const descriptor of engineDescriptors) {
    if (descriptor.cloning) return { ...descriptor, cloning: descriptor.cloning };
  }
  throw new Error("no engine supports cloning");
}

function find<D extends { readonly name: string }>(descriptors: readonly D[], name: string): D {
  const descriptor = descriptors.find((other) => other.name === name);
  if (!descriptor) throw new Error(`there is no engine named "${name}"`);
  return descriptor;
}
