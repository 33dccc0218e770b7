/** The default model of transcriptions: the language determines the engine. */
export const DEFAULT_ASR_MODEL = "transcribe-1";

/** Names that existing clients send. They mean the default model. */
export const ASR_MODEL_ALIASES = ["transcribe-1-pro"] as const;

/** Recognizers of the server that can be chosen by name. A test of the server compares them with its recognizers. */
export const RECOGNIZER_MODELS = ["moonshine", "whisper"] as const;
export type RecognizerModel = (typeof RECOGNIZER_MODELS)[number];

export const ASR_MODEL_NAMES: readonly string[] = [DEFAULT_ASR_MODEL, ...RECOGNIZER_MODELS, ...ASR_MODEL_ALIASES];
