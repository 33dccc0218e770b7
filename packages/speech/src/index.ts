export {
  createDecoder,
  type DecodedAudio,
  type DecodeOptions,
  type Decoder,
  openSamples,
  type SamplesFile,
} from "./audio/decode/index.ts";
export * from "./clone/index.ts";
export * from "./create-speech.ts";
export { type CleanImage, cleanImage, ImageError } from "./image/clean-image.ts";
export * from "./models/index.ts";
export { plainRequest } from "./plain-request.ts";
export * from "./recognition/index.ts";
export * from "./speech.ts";
export * from "./tracing.ts";
export * from "./transcript.ts";
export { builtInVoices, defaultVoiceOf, preferredEngines } from "./voices/index.ts";
