import { closeSync, openSync } from "node:fs";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { AudioError } from "../../errors.ts";
import { type AudioInput, openAudio } from "./audio-input.ts";
import { createFileInput } from "./file-input.ts";
import { createMonoResampler } from "./mono-resampler.ts";
import { createSampleWriter } from "./sample-writer.ts";

export interface DecodeLimits {
  readonly sampleRate: number;
  readonly minSeconds: number;
  readonly maxSeconds: number;
}

export interface DecodedAudio {
  /** The length of what was decoded, independent of the file's header. */
  readonly seconds: number;
  /** Written to the target: round(seconds × sampleRate). */
  readonly samples: number;
  /** As FFmpeg names them. */
  readonly container: string;
  readonly codec: string;
  /** Of the first frame of the source. */
  readonly channels: number;
  readonly sourceRate: number;
}

/** The longest time without the event loop: the process must notice that its parent has gone. */
const YIELD_EVERY_MS = 50;

/**
 * Decodes into a file of mono 16-bit little-endian samples, in this process. `onProgress` is told how many seconds have been
 * decoded, from time to time.
 */
export async function decodeFile(
  source: string,
  target: string,
  limits: DecodeLimits,
  onProgress: (seconds: number) => void,
): Promise<DecodedAudio> {
  const file = openSync(source, "r");
  try {
    const input = openAudio(createFileInput(file));
    try {
      return await writeSamples(input, target, limits, onProgress);
    } finally {
      input.close();
    }
  } finally {
    closeSync(file);
  }
}

async function writeSamples(
  input: AudioInput,
  target: string,
  { sampleRate, minSeconds, maxSeconds }: DecodeLimits,
  onProgress: (seconds: number) => void,
): Promise<DecodedAudio> {
  const resampler = createMonoResampler(sampleRate);
  const writer = createSampleWriter(target);
  let source: { channels: number; sourceRate: number } | undefined;
  let yielded = performance.now();
  try {
    for (const frame of input.frames()) {
      if (frame.nbSamples === 0) continue;
      source ??= { channels: frame.channels, sourceRate: frame.sampleRate };
      // Checked before the conversion: a frame can claim to last for days.
      const seconds = resampler.seconds + frame.nbSamples / frame.sampleRate;
      if (seconds > maxSeconds) {
        throw new AudioError("too_long", `the audio is longer than ${maxSeconds} s`, seconds);
      }
      writer.write(resampler.push(frame));
      if (performance.now() - yielded > YIELD_EVERY_MS) {
        onProgress(seconds);
        await yieldToEventLoop();
        yielded = performance.now();
      }
    }
    writer.write(resampler.end());
    const { seconds } = resampler;
    if (source === undefined) throw new AudioError("undecodable", "the file has no audio that can be decoded");
    if (seconds < minSeconds) {
      throw new AudioError(
        "too_short",
        `the audio is ${seconds.toFixed(3)} s long, shorter than ${minSeconds} s`,
        seconds,
      );
    }
    return { seconds, samples: writer.end(), container: input.container, codec: input.codec, ...source };
  } finally {
    resampler.close();
    writer.close();
  }
}
