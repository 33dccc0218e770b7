import { SAMPLE_RATES } from "../resample.ts";
import { AAC_SAMPLE_RATES, aacEncoder } from "./aac.ts";
import { type AudioEncoder, streamEncoder } from "./encoder.ts";
import { flacEncoder } from "./flac.ts";
import { alawEncoder, G711_SAMPLE_RATE, ulawEncoder } from "./g711.ts";
import { MP3_BITRATES, MP3_SAMPLE_RATES, mp3Encoder } from "./mp3.ts";
import { OPUS_BITRATES, OPUS_SAMPLE_RATE, opusEncoder } from "./opus.ts";
import type { OutputFormat } from "./output-format.ts";
import { pcmEncoder, wavEncoder } from "./pcm.ts";

export type { AudioEncoder } from "./encoder.ts";
export { MP3_BITRATES, MP3_SAMPLE_RATES, OPUS_BITRATES, OPUS_SAMPLE_RATE };

/**
 * Throws a RangeError for a rate or bitrate that the format does not support. `serial` is the number of the Ogg stream: with the
 * same one the file is the same.
 */
export function createEncoder(output: OutputFormat, serial?: number): AudioEncoder {
  switch (output.format) {
    case "pcm":
      assertOneOf("pcm sample rate", output.sampleRate, SAMPLE_RATES);
      return streamEncoder(pcmEncoder());
    case "wav":
      assertOneOf("wav sample rate", output.sampleRate, SAMPLE_RATES);
      return streamEncoder(wavEncoder(output.sampleRate));
    case "mp3":
      assertOneOf("mp3 sample rate", output.sampleRate, MP3_SAMPLE_RATES);
      assertOneOf("mp3 bitrate", output.mp3Bitrate, MP3_BITRATES);
      return streamEncoder(mp3Encoder(output.sampleRate, output.mp3Bitrate));
    case "aac":
      assertOneOf("aac sample rate", output.sampleRate, AAC_SAMPLE_RATES);
      return streamEncoder(aacEncoder(output.sampleRate));
    case "flac":
      assertOneOf("flac sample rate", output.sampleRate, SAMPLE_RATES);
      return streamEncoder(flacEncoder(output.sampleRate));
    case "ulaw":
      assertOneOf("ulaw sample rate", output.sampleRate, [G711_SAMPLE_RATE]);
      return streamEncoder(ulawEncoder());
    case "alaw":
      assertOneOf("alaw sample rate", output.sampleRate, [G711_SAMPLE_RATE]);
      return streamEncoder(alawEncoder());
    case "opus":
      assertOneOf("opus sample rate", output.sampleRate, [OPUS_SAMPLE_RATE]);
      if (output.opusBitrate !== "auto") assertOneOf("opus bitrate", output.opusBitrate, OPUS_BITRATES);
      return streamEncoder(opusEncoder(output.opusBitrate, serial));
  }
}

function assertOneOf(what: string, value: number, allowed: readonly number[]): void {
  if (!allowed.includes(value)) throw new RangeError(`${what} ${value} is not one of ${allowed.join(", ")}`);
}
