import type { RecognizedWord } from "../engines/recognizer.ts";
import { chunkSamples, sampleRate } from "../engines/silero/chunks.ts";
import type { RecognitionJob, RecognitionResult } from "../recognition/jobs.ts";
import type { RecognitionWorkers } from "../recognition/recognition-pool.ts";

/**
 * Workers that recognize bursts of a constant level: each is a word, and its level in hundredths of full scale is its text.
 * For tests of what happens around recognition. `before` may delay or fail a job.
 */
export interface BurstWorkers extends RecognitionWorkers {
  readonly jobs: RecognitionJob[];
}

export interface BurstWorkersOptions {
  readonly before?: (job: RecognitionJob, signal: AbortSignal) => Promise<void> | void;
  readonly language?: string;
  /** What is written after each word. */
  readonly mark?: string;
  /** The level of words that the recognizer is not certain of. */
  readonly unlikely?: number;
}

export function createBurstWorkers(options: BurstWorkersOptions = {}): BurstWorkers {
  const { before = () => {} } = options;
  const jobs: RecognitionJob[] = [];
  return {
    count: 1,
    jobs,
    async run(job, signal, onEnd) {
      jobs.push(job);
      await before(job, signal);
      signal.throwIfAborted();
      onEnd?.({ queuedAt: 0, work: undefined, busyMs: 1, pid: 1, tries: 1, outcome: "done" });
      return resultOf(job, options);
    },
  };
}

function resultOf(job: RecognitionJob, options: BurstWorkersOptions): RecognitionResult {
  switch (job.type) {
    case "prepare":
      return { type: "prepared" };
    case "follow-speech": {
      const levels = new Float32Array(job.samples.length / chunkSamples);
      levels.forEach((_, chunk) => {
        const part = job.samples.subarray(chunk * chunkSamples, (chunk + 1) * chunkSamples);
        levels[chunk] = part.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0) / 32768;
      });
      const probabilities = levels.map((level) => (level > 0.05 ? 0.99 : 0.01));
      const state = { memory: new Float32Array(0), context: new Float32Array(0) };
      return { type: "followed", probabilities, levels, state };
    }
    case "detect-language":
      return { type: "language", guesses: [{ language: options.language ?? "en", probability: 0.95 }] };
    case "transcribe": {
      const words = "samples" in job.audio ? burstsOf(job.audio.samples, job.audio.from, options) : [];
      const context = job.known?.context ?? [];
      // Like a recognizer, it starts with the known words, even if the end of another one is heard before them.
      const first = context.length === 0 ? 0 : words.findIndex(({ tokens }) => tokens[0] === context[0]?.[0]);
      return { type: "words", confidence: 0, words: words.slice(Math.max(0, first)), contextWords: context.length };
    }
    case "detect-speech":
    case "embed-voices":
    case "group-voices":
      throw new Error("not for streams");
  }
}

/** Runs of one level are words; silence separates them. */
function burstsOf(samples: Int16Array, from: number, { mark = "", unlikely }: BurstWorkersOptions) {
  const words: (RecognizedWord & { readonly tokens: readonly number[] })[] = [];
  let start = -1;
  for (let at = 0; at <= samples.length; at++) {
    const isSilent = at === samples.length || samples[at] === 0;
    if (!isSilent && start < 0) start = at;
    if (!isSilent || start < 0) continue;
    const level = Math.round((100 * Math.abs(samples[start] ?? 0)) / 32768);
    words.push({
      text: `${level}${mark}`,
      start: from + start / sampleRate,
      end: from + at / sampleRate,
      joined: false,
      tokens: [level],
      ...(level === unlikely ? { probability: 0.3 } : {}),
    });
    start = -1;
  }
  return words;
}

/** Samples with a burst of each level (in hundredths), of the given length and with the pause after it, in seconds. */
export function bursts(...parts: readonly (readonly [level: number, seconds: number, pause: number])[]): Int16Array {
  const pieces = parts.flatMap(([level, seconds, pause]) => [
    new Int16Array(Math.round(seconds * sampleRate)).fill(Math.round((level / 100) * 32768)),
    new Int16Array(Math.round(pause * sampleRate)),
  ]);
  const joined = new Int16Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

export function bytesOf(samples: Int16Array): Uint8Array {
  return new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
}
