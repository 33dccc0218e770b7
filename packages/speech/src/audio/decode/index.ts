export type { DecodedAudio } from "./decode-file.ts";
export { createDecoder, type DecodeOptions, type Decoder, type DecoderOptions } from "./decoder.ts";
export { openSamples, readPcm, readSamples, type SamplesFile } from "./samples-file.ts";
