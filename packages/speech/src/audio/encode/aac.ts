import { AV_SAMPLE_FMT_FLTP, FF_ENCODER_AAC } from "node-av/constants";
import type { EncoderCore } from "./encoder.ts";
import { frameEncoder } from "./frame-encoder.ts";

/** In the order of their numbers in an ADTS header, which begins with rates that are not offered here. */
export const AAC_SAMPLE_RATES = [48000, 44100, 32000, 24000, 22050, 16000, 12000, 11025, 8000] as const;
const FIRST_RATE_NUMBER = 3;

/** The encoder puts one frame of silence before the input. */
const DELAY_SAMPLES = 1024;
const HEADER_BYTES = 7;

/** About three bits for each sample: transparent for speech, and within the limit of the format at every rate. */
function bitRateOf(sampleRate: number): number {
  return Math.min(128_000, sampleRate * 3);
}

/** AAC-LC in ADTS frames, each with a header of its own, so a player may start at any of them. */
export function aacEncoder(sampleRate: number): EncoderCore {
  return frameEncoder({
    codec: {
      name: FF_ENCODER_AAC,
      sampleRate,
      sampleFormat: AV_SAMPLE_FMT_FLTP,
      bitRate: bitRateOf(sampleRate),
      options: {},
    },
    contentType: "audio/aac",
    delaySamples: DELAY_SAMPLES,
    header: (dataBytes) => adtsHeader(sampleRate, dataBytes),
  });
}

/** ISO 13818-7, 6.2: AAC-LC, one channel, no checksum. */
function adtsHeader(sampleRate: number, dataBytes: number): Uint8Array {
  const rates: readonly number[] = AAC_SAMPLE_RATES;
  const rate = FIRST_RATE_NUMBER + rates.indexOf(sampleRate);
  const length = HEADER_BYTES + dataBytes;
  return Uint8Array.of(
    0xff,
    0xf1,
    (1 << 6) | (rate << 2),
    (1 << 6) | (length >> 11),
    (length >> 3) & 0xff,
    ((length & 7) << 5) | 0x1f,
    0xfc,
  );
}
