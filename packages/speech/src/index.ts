export {
  createDecoder,
  type DecodedAudio,
  type DecodeOptions,
  type Decoder,
  openSamples,
  type SamplesFile,
} from "./audio/decode/index.ts";
export { type CleanImage, cleanImage, ImageError } from "./image/clean-image.ts";
export * from "./models/index.ts";
export * from "./recognition/index.ts";
export * from "./speech.ts";
export * from "./synthesis/create-speech.ts";
export { plainRequest } from "./synthesis/plain-request.ts";
export * from "./tracing.ts";
export * from "./transcript.ts";
export * from "./voices/clone/index.ts";
export { builtInVoices, defaultVoiceOf, preferredEngines } from "./voices/index.ts";
