/** The recommended value of the `model` header: the best engine of this server for the voice. */
export const DEFAULT_MODEL = "s2-pro";

/** Names that existing clients send. They mean the default model. */
export const MODEL_ALIASES = [
  "s1",
  "s1-mini",
  "s2.1-pro",
  "s2.1-pro-free",
  "speech-1.5",
  "speech-1.6",
  "agent-x0",
] as const;

/** Engines of the server that can be chosen by name. A test of the server compares them with its engines. */
export const ENGINE_MODELS = ["piper", "kokoro"] as const;
export type EngineModel = (typeof ENGINE_MODELS)[number];

export const MODEL_NAMES: readonly string[] = [DEFAULT_MODEL, ...MODEL_ALIASES, ...ENGINE_MODELS];

export interface ModelChoice {
  readonly name: string;
  /** Undefined: the voice determines it. */
  readonly engine: EngineModel | undefined;
}

/** The header of a response that names the model that spoke: an alias is resolved. */
export const MODEL_HEADER = "x-model";

export function spokenModel({ engine }: ModelChoice): string {
  return engine ?? DEFAULT_MODEL;
}

/** Undefined when there is no such model. */
export function resolveModel(name: string): ModelChoice | undefined {
  if (!MODEL_NAMES.includes(name)) return undefined;
  return { name, engine: ENGINE_MODELS.find((engine) => engine === name) };
}
