/** Text to speech. */

/** Audio that is kept, and sent again in another format. */
export { type ArchiveEncoder, createArchiveEncoder, encodeFile } from "./audio/archive/archive.ts";
/** Files of clients: audio of any format, pictures. */
export {
  createDecoder,
  type DecodedAudio,
  type DecodeOptions,
  type Decoder,
  openSamples,
  type SamplesFile,
} from "./audio/decode/index.ts";
export { type AudioEncoder, createEncoder } from "./audio/encode/index.ts";
export { adtsFrames, type Mp4Book, type Mp4Chapter, mp4Head } from "./audio/encode/m4b.ts";
export { createOpusDecoders } from "./audio/opus-packets/decoder-pool.ts";
/** Model weights. */
export {
  createModelStore,
  findModel,
  type ModelStoreOptions,
  manifest,
  selectModels,
} from "./catalog/manifest.ts";
export type { EngineLanguage, SynthesisQuality } from "./engines/descriptor.ts";
/** Speech to text. */
export type { RecognizerSize } from "./engines/recognizer.ts";
export {
  cloningEngine,
  engineDescriptor,
  engineNames,
  recognizerDescriptor,
  recognizerNames,
} from "./engines/registry.ts";
export { type EngineSetting, engineSwitch, qualitySetting, sizeSetting } from "./engines/settings.ts";
export { AudioError, type AudioErrorCode, MachinesLostError, SpeechError, type SpeechErrorCode } from "./errors.ts";
export { type CleanImage, cleanImage, ImageError } from "./image/clean-image.ts";
/** Many machines. */
export { joinCluster } from "./join-cluster.ts";
/** @internal Signals that are joined for the time of a piece of work. */
export { withSignals } from "./lib/join-signals.ts";
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
/** @internal Bounded pieces of work, each in a turn of the event loop of its own. */
export { takeTurn } from "./lib/turns.ts";
export * from "./listening.ts";
export * from "./models/index.ts";
export type { Cluster, ClusterOptions } from "./pool/remote/cluster.ts";
export * from "./recognition/index.ts";
/** @internal For tests of services that listen, with workers of their own. */
export { createFrameDecoder } from "./recognition/live/frame-decoder.ts";
export { createListener } from "./recognition/live/listener.ts";
export type { ListenerParts } from "./recognition/live/listener-parts.ts";
export { listeningFormat, listenToOpus } from "./recognition/live/opus-listening.ts";
/** Who speaks in a recording. */
export { MAX_SPEAKERS } from "./recognition/speakers/find-speakers.ts";
export { KnownSpeakerError, REFERENCE_SECONDS } from "./recognition/speakers/known-voices.ts";
export * from "./speech.ts";
export { createSpeech, type SpeechOptions } from "./synthesis/create-speech.ts";
export { defaultRequest } from "./synthesis/default-request.ts";
export { canSpeak } from "./synthesis/languages.ts";
export { parsePronunciation } from "./text/index.ts";
export * from "./transcript.ts";
/** Voices from recordings. */
export * from "./voices/clone/index.ts";
export { defaultVoiceOf } from "./voices/default-voice.ts";
/** Voices from descriptions. */
export { type DesignedVoice, designVoices, findMixedVoice } from "./voices/design/design-voices.ts";
export { engineLanguages, findEngineLanguage } from "./voices/engine-languages.ts";
export { type StockVoice, stockVoices } from "./voices/stock-voices.ts";
export { createWorker, type Worker, type WorkerOptions } from "./worker/create-worker.ts";
