import type { AsrResult } from "@parlance/protocol";
import { resample } from "./resample.ts";
import { type Part, splitAtSilences } from "./split.ts";
import { stitch } from "./stitch.ts";
import type { FinishedPart, PartsOptions, Pcm, Transcript } from "./types.ts";
import { writeWav } from "./wav-writer.ts";

/** What recognisers listen at. More would only be more to send. */
export const ASR_SAMPLE_RATE = 16_000;
export const PART_SECONDS = { min: 10, usual: 120, max: 600 };

/** Transcribes one part, given as a WAV file. */
export type TranscribePart = (wav: Uint8Array<ArrayBuffer>, signal: AbortSignal) => Promise<AsrResult>;

/** Splits, has the parts transcribed a few at a time, and puts the transcripts together. */
export async function transcribeInParts(
  pcm: Pcm,
  transcribe: TranscribePart,
  options: PartsOptions = {},
): Promise<Transcript> {
  const { signal, resume, onProgress = () => {} } = options;
  signal?.throwIfAborted();
  const sampleRate = Math.min(pcm.sampleRate, ASR_SAMPLE_RATE);
  const mostSeconds = clamp(options.partSeconds ?? PART_SECONDS.usual, PART_SECONDS.min, PART_SECONDS.max);
  const parts = splitAtSilences(resample(pcm.samples, pcm.sampleRate, sampleRate), { sampleRate, mostSeconds });
  const kept = (await resume?.load()) ?? [];
  const finished: FinishedPart[] = [];
  let [done, resumed, length] = [0, 0, 0];

  // The first failure stops the others.
  const stop = new AbortController();
  const onAbort = (): void => stop.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });

  const finish = async ({ start, samples }: Part): Promise<FinishedPart> => {
    const place = { start: start / sampleRate, seconds: samples.length / sampleRate };
    const known = kept.find((part) => part.start === place.start && part.seconds === place.seconds);
    if (known !== undefined) {
      resumed += place.seconds;
      return known;
    }
    const part = { ...place, result: await transcribe(writeWav(samples, sampleRate), stop.signal) };
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
  return stitch(finished, length / sampleRate);
}

function clamp(value: number, min: number, max: number): number {
  return Math.max(min, Math.min(max, value));
}
