import { IOStream } from "node-av/api";
import { AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_S16 } from "node-av/constants";
import type { Frame } from "node-av/lib";
import { openAudio } from "../audio/decode/audio-input.ts";
import { concatSamples } from "./signals.ts";

export interface DecodedAudio {
  readonly sampleRate: number;
  readonly channels: number;
  readonly samples: Float32Array;
}

/** Reads a whole mono audio file as any player built on FFmpeg would, at its own rate. */
export function decodeAudio(file: Uint8Array): DecodedAudio {
  const input = openAudio(IOStream.create(Buffer.from(file)));
  try {
    const pieces: Float32Array[] = [];
    for (const frame of input.frames()) pieces.push(floatsOf(frame));
    return { sampleRate: input.sampleRate, channels: input.channels, samples: concatSamples(pieces) };
  } finally {
    input.close();
  }
}

function floatsOf(frame: Frame): Float32Array {
  const bytes = Uint8Array.from(frame.toBuffer()).buffer;
  if (frame.format === AV_SAMPLE_FMT_FLT || frame.format === AV_SAMPLE_FMT_FLTP) {
    return new Float32Array(bytes, 0, frame.nbSamples);
  }
  if (frame.format !== AV_SAMPLE_FMT_S16) throw new Error(`unexpected sample format ${frame.format}`);
  return Float32Array.from(new Int16Array(bytes, 0, frame.nbSamples), (value) => value / 32768);
}
