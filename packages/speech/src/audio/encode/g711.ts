import type { EncoderCore } from "./encoder.ts";
import { waveform } from "./pcm.ts";

/** The rate of telephony, which G.711 is made for. */
export const G711_SAMPLE_RATE = 8000;

/** G.711 µ-law: one byte for each sample. */
export function ulawEncoder(): EncoderCore {
  return waveform("audio/basic", (samples) => Uint8Array.from(samples, toUlaw));
}

/** G.711 A-law: one byte for each sample. */
export function alawEncoder(): EncoderCore {
  return waveform("audio/x-alaw-basic", (samples) => Uint8Array.from(samples, toAlaw));
}

const ULAW_BIAS = 0x84;
const ULAW_MAX = 32635;

/** Sign, three bits of exponent and four of mantissa, all inverted. */
function toUlaw(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), ULAW_MAX) + ULAW_BIAS;
  const exponent = 24 - Math.clz32(magnitude);
  const mantissa = (magnitude >> (exponent + 3)) & 0x0f;
  return ~((sample < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
}

/** The same with a linear part for quiet samples. Every second bit is inverted. */
function toAlaw(sample: number): number {
  // 13 bits; negative values are one's complement.
  const magnitude = (sample < 0 ? ~sample : sample) >> 3;
  const exponent = Math.max(0, 27 - Math.clz32(magnitude));
  const mantissa = (magnitude >> Math.max(1, exponent)) & 0x0f;
  return ((sample < 0 ? 0 : 0x80) | (exponent << 4) | mantissa) ^ 0x55;
}
