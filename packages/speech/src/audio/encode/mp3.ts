import { AV_SAMPLE_FMT_FLTP, FF_ENCODER_LIBMP3LAME } from "node-av/constants";
import type { EncoderCore } from "./encoder.ts";
import { frameEncoder } from "./frame-encoder.ts";

export const MP3_SAMPLE_RATES = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000] as const;
/** kbit/s */
export const MP3_BITRATES = [32, 48, 64, 96, 128, 192] as const;

/** In kbit/s, of the version of MPEG that has the rate: 1, 2 and 2.5. */
function maxBitrate(sampleRate: number): number {
  if (sampleRate >= 32000) return 320;
  return sampleRate >= 16000 ? 160 : 64;
}

/** LAME looks 576 samples ahead, and every mp3 decoder lags by 529. */
const DELAY_SAMPLES = 576 + 529;

/** Plain frames of a constant bitrate, without an info frame: the length is not known while the file is streamed. */
export function mp3Encoder(sampleRate: number, bitrate: number): EncoderCore {
  return frameEncoder({
    codec: {
      name: FF_ENCODER_LIBMP3LAME,
      sampleRate,
      sampleFormat: AV_SAMPLE_FMT_FLTP,
      bitRate: Math.min(bitrate, maxBitrate(sampleRate)) * 1000,
      options: {},
    },
    contentType: "audio/mpeg",
    delaySamples: DELAY_SAMPLES,
  });
}
