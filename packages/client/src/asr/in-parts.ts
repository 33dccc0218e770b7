import type { AsrResult } from "@parlance/protocol";
import { resample } from "./resample.ts";
import { type Part, splitAtSilences } from "./split.ts";
import { stitch } from "./stitch.ts";
import type { FinishedPart, PartsOptions, Pcm, Transcript } from "./types.ts";
import { writeWav } from "./wav-writer.ts";

/** The sample rate of the recognizers. A higher one would only take longer to send. */
export const ASR_SAMPLE_RATE = 16_000;
export const PART_SECONDS = { min: 10, default: 120, max: 600 };

/** Transcribes one part, given as a WAV file. */
export type TranscribePart = (wav: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<AsrResult>;

/**
 * Splits a recording, transcribes a few parts at a time, and joins the transcripts. `client.asr.long` does this with one
 * server; here the caller says how a part is transcribed.
 *
 * @example
 * ```ts
 * import { transcribeInParts } from "@parlance/client";
 *
 * async function* silence() {
 *   yield new Float32Array(16_000);
 * }
 * const pcm = { sampleRate: 16_000, seconds: 1, samples: silence() };
 * const transcript = await transcribeInParts(pcm, async (wav, signal) => {
 *   const { text, segments, duration, language } = await client.asr.transcribe(wav, { signal });
 *   return { text, segments: [...segments], duration, language, language_code: language };
 * });
 * console.log(transcript.text);
 * ```
 */
export async function transcribeInParts(
  pcm: Pcm,
  transcribe: TranscribePart,
  options: PartsOptions = {},
): Promise<Transcript> {
  const { signal, resume, onProgress = () => {} } = options;
  signal?.throwIfAborted();
  const sampleRate = Math.min(pcm.sampleRate, ASR_SAMPLE_RATE);
  const maxSeconds = clamp(options.partSeconds ?? PART_SECONDS.default, PART_SECONDS.min, PART_SECONDS.max);
  const parts = splitAtSilences(resample(pcm.samples, pcm.sampleRate, sampleRate), { sampleRate, maxSeconds });
  const kept = (await resume?.load()) ?? [];
  const finished: FinishedPart[] = [];
  let [done, resumed, length] = [0, 0, 0];

  // The first failure stops the others.
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });

  const finish = async ({ start, samples }: Part): Promise<FinishedPart> => {
    const position = { start: start / sampleRate, seconds: samples.length / sampleRate };
    const known = kept.find((part) => part.start === position.start && part.seconds === position.seconds);
    if (known !== undefined) {
      resumed += position.seconds;
      return known;
    }
    const part = { ...position, result: await transcribe(writeWav(samples, sampleRate), stop.signal) };
    await resume?.add(part);
    return part;
  };
  const work = async (): Promise<void> => {
    for (let step = await parts.next(); !step.done; step = await parts.next()) {
      stop.signal.throwIfAborted();
      const part = step.value;
      length = Math.max(length, part.start + part.samples.length);
      finished[part.index] = await finish(part);
      done += part.samples.length / sampleRate;
      onProgress({ seconds: done, total: pcm.seconds, resumed });
    }
  };
  try {
    const workers = Array.from({ length: clamp(options.concurrency ?? 2, 1, 16) }, work);
    await Promise.all(workers).catch(async (error) => {
      stop.abort(error);
      await Promise.allSettled(workers);
      throw error;
    });
  } finally {
    signal?.removeEventListener("abort", onAbort);
    await parts.return();
  }
  return stitch(finished, length / sampleRate, options.speakerCount);
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}
