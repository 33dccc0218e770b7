import type { SynthesisQuality } from "./descriptor.ts";
import { RECOGNIZER_SIZES, type RecognizerSize } from "./recognizer.ts";
import { type EngineName, engineDescriptors, recognizerDescriptors } from "./registry.ts";

/** A setting that an engine brings, for the server and the command line. */
export interface EngineSetting<Value extends string> {
  /** The environment variable. */
  readonly variable: string;
  readonly values: readonly Value[];
  readonly default: Value;
  /** Sentences in Markdown. The first is a summary that can stand alone. */
  readonly meaning: string;
}

const variable = (engine: string): string => `PARLANCE_${engine.toUpperCase()}`;

/** Whether the engine that can be turned off is used. */
export const engineSwitch: EngineSetting<"auto" | "off"> & { readonly engine: EngineName } = findSwitch();

/** The quality of the engine that has several. */
export const qualitySetting: EngineSetting<SynthesisQuality> = findQuality();

/** The size of the recognizer that has several. `off`: it is not used. */
export const sizeSetting: EngineSetting<RecognizerSize | "off"> = findSize();

function findSwitch(): typeof engineSwitch {
  for (const { name, switchMeaning: meaning } of engineDescriptors) {
    if (meaning === undefined) continue;
    return { engine: name, variable: variable(name), values: ["auto", "off"], default: "auto", meaning };
  }
  throw new Error("no engine can be turned off");
}

function findQuality(): typeof qualitySetting {
  for (const { name, qualityMeaning: meaning } of engineDescriptors) {
    if (meaning === undefined) continue;
    return { variable: `${variable(name)}_QUALITY`, values: ["fast", "full"], default: "fast", meaning };
  }
  throw new Error("no engine has several qualities");
}

function findSize(): typeof sizeSetting {
  for (const { name, sizeMeaning: meaning } of recognizerDescriptors) {
    if (meaning === undefined) continue;
    return { variable: variable(name), values: [...RECOGNIZER_SIZES, "off"], default: "base", meaning };
  }
  throw new Error("no recognizer has several sizes");
}
