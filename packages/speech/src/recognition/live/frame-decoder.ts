import { createResampler } from "../../audio/index.ts";
import { sampleRate } from "../../engines/silero/chunks.ts";
import { AudioError } from "../../errors.ts";
import type { LiveAudioFormat } from "../../listening.ts";

/** Turns the frames of a client into mono samples of 16 bits and 16 kHz. */
export interface FrameDecoder {
  push(frame: Uint8Array): Int16Array;
  /** The samples that were held back by the filter. */
  end(): Int16Array;
  close(): void;
}

const LIVE_SAMPLE_RATES = { min: 8000, max: 96_000 } as const;

/** A frame may end in the middle of a sample. */
export function createFrameDecoder({ encoding, sampleRate: rate }: LiveAudioFormat): FrameDecoder {
  if (!Number.isInteger(rate) || rate < LIVE_SAMPLE_RATES.min || rate > LIVE_SAMPLE_RATES.max) {
    throw new AudioError("undecodable", `a sample rate of ${rate} Hz is not supported`);
  }
  if (encoding === "opus") throw new AudioError("undecodable", "Opus is decoded packet by packet");
  const resampler = rate === sampleRate ? undefined : createResampler(rate, sampleRate);
  const read = encoding === "pcm_s16le" ? createPcmReader() : tableReader(encoding === "mulaw" ? ulaw : alaw);
  const toInt16 = (values: Float32Array): Int16Array =>
    Int16Array.from(values, (value) => Math.max(-32768, Math.min(32767, Math.round(value * 32768))));
  return {
    push(frame) {
      const samples = read(frame);
      if (!resampler) return samples;
      return toInt16(resampler.push(Float32Array.from(samples, (sample) => sample / 32768)));
    },
    end: () => (resampler ? toInt16(resampler.flush()) : new Int16Array(0)),
    close: () => resampler?.close(),
  };
}

function createPcmReader(): (frame: Uint8Array) => Int16Array {
  let rest = new Uint8Array(0);
  return (frame) => {
    const bytes = rest.length === 0 ? frame : Buffer.concat([rest, frame]);
    const samples = new Int16Array(bytes.length >> 1);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(2 * at, true);
    rest = bytes.slice(2 * samples.length);
    return samples;
  };
}

function tableReader(table: Int16Array): (frame: Uint8Array) => Int16Array {
  return (frame) => Int16Array.from(frame, (byte) => table[byte] ?? 0);
}

/** G.711 µ-law: sign, three bits of exponent and four of mantissa, all inverted. */
const ulaw = Int16Array.from({ length: 256 }, (_, byte) => {
  const bits = ~byte & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + 0x84) << ((bits >> 4) & 7)) - 0x84;
  return bits & 0x80 ? -magnitude : magnitude;
});

/** G.711 A-law: the same with a linear part for quiet samples; every second bit is inverted. */
const alaw = Int16Array.from({ length: 256 }, (_, byte) => {
  const bits = byte ^ 0x55;
  const exponent = (bits >> 4) & 7;
  const mantissa = ((bits & 0x0f) << 4) + 8;
  const magnitude = exponent === 0 ? mantissa : (mantissa + 0x100) << (exponent - 1);
  return bits & 0x80 ? magnitude : -magnitude;
});
