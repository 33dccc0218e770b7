import {
  DEFAULT_MODEL,
  findModel,
  type ModelChoice,
  RECOGNIZER_MODELS,
  type RecognizerModel,
  type TtsRules,
} from "@parlance/protocol";

/** With these rules, a model name of another service, such as `tts-1`, means the default model. */
export function withDefaultModel(rules: TtsRules): TtsRules {
  return { ...rules, defaultModel: rules.defaultModel ?? DEFAULT_MODEL };
}

export function speechModel(name: string, rules: TtsRules): ModelChoice {
  return findModel(name, withDefaultModel(rules)) ?? { name, engine: undefined };
}

/** The recognizer of this name. A name of another service, such as `whisper-1`, leaves the choice to the language. */
export function recognizerModel(name: string, available: readonly string[]): RecognizerModel | undefined {
  return RECOGNIZER_MODELS.find((model) => model === name && available.includes(name));
}
