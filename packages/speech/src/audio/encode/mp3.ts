import { AV_SAMPLE_FMT_FLTP, FF_ENCODER_LIBMP3LAME } from "node-av/constants";
import { openCodec } from "./codec.ts";
import type { EncoderCore } from "./encoder.ts";

export const MP3_SAMPLE_RATES = [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000] as const;
/** kbit/s */
export const MP3_BITRATES = [64, 128, 192] as const;

/** In kbit/s, of the version of MPEG that has the rate: 1, 2 and 2.5. */
function maxBitrate(sampleRate: number): number {
  if (sampleRate >= 32000) return 320;
  return sampleRate >= 16000 ? 160 : 64;
}

/** LAME looks 576 samples ahead, and every mp3 decoder lags by 529. */
const DELAY_SAMPLES = 576 + 529;

/** Plain frames of a constant bitrate, without an info frame: the length is not known while the file is streamed. */
export function mp3Encoder(sampleRate: number, bitrate: number): EncoderCore {
  const codec = openCodec({
    name: FF_ENCODER_LIBMP3LAME,
    sampleRate,
    sampleFormat: AV_SAMPLE_FMT_FLTP,
    bitRate: Math.min(bitrate, maxBitrate(sampleRate)) * 1000,
    options: {},
  });
  let received = 0;
  let packets = 0;
  const append = (bytes: Uint8Array[]) => (data: Uint8Array) => {
    packets++;
    bytes.push(data);
  };
  return {
    contentType: "audio/mpeg",
    delaySamples: DELAY_SAMPLES,
    get encodedSamples() {
      return Math.min(received, Math.max(0, packets * codec.frameSize - DELAY_SAMPLES));
    },
    write(samples, bytes) {
      received += samples.length;
      codec.write(samples, append(bytes));
    },
    end(bytes) {
      // An empty file has one frame, too, so that it can be opened.
      const missing = received === 0 ? codec.frameSize : (codec.frameSize - codec.waiting) % codec.frameSize;
      codec.write(new Float32Array(missing), append(bytes));
      codec.drain(append(bytes));
    },
    close: codec.close,
  };
}
