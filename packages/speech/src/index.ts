/** Text to speech. */

/** Files of clients: audio of any format, pictures. */
export {
  createDecoder,
  type DecodedAudio,
  type DecodeOptions,
  type Decoder,
  openSamples,
  type SamplesFile,
} from "./audio/decode/index.ts";
/** Model weights. */
export {
  createModelStore,
  findModel,
  type ModelStoreOptions,
  manifest,
  selectModels,
} from "./catalog/manifest.ts";
export type { SynthesisQuality } from "./engines/descriptor.ts";
/** Speech to text. */
export type { RecognizerSize } from "./engines/recognizer.ts";
export {
  cloningEngine,
  engineDescriptor,
  engineNames,
  recognizerDescriptor,
  recognizerNames,
} from "./engines/registry.ts";
export { AudioError, type AudioErrorCode, SpeechError, type SpeechErrorCode } from "./errors.ts";
export { type CleanImage, cleanImage, ImageError } from "./image/clean-image.ts";
export { languageNames } from "./lib/language-names.ts";
/** @internal Tracing, as the server implements it. */
export {
  monotonicTime,
  noSpan,
  roundMs,
  type Span,
  type SpanAttributes,
  type SpanEnd,
  withSpan,
} from "./lib/tracing.ts";
export * from "./models/index.ts";
export * from "./recognition/index.ts";
export * from "./speech.ts";
export { createSpeech, type SpeechOptions } from "./synthesis/create-speech.ts";
export { defaultRequest } from "./synthesis/default-request.ts";
export * from "./transcript.ts";
/** Voices from recordings. */
export * from "./voices/clone/index.ts";
export { defaultVoiceOf } from "./voices/default-voice.ts";
export { type StockVoice, stockVoices } from "./voices/stock-voices.ts";
