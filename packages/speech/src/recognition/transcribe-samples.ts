import { textOf } from "../engines/attention/token-words.ts";
import type { HeardWord } from "../engines/recognizer.ts";
import { isSpaced } from "../engines/whisper/languages.ts";
import type { LanguageGuess } from "../engines/whisper/whisper.ts";
import type { OnJobOver } from "../pool/job-report.ts";
import { traceJob } from "../pool/job-span.ts";
import { during, noSpan, roundMs, type Span } from "../tracing.ts";
import type { RecognizerName, Transcript, TranscriptionRequest } from "../transcript.ts";
import { chooseLanguage, isSettled, tellingStretches } from "./choose-language.ts";
import { inParallel } from "./in-parallel.ts";
import type { ListenerJob, ListenerResult } from "./jobs.ts";
import { chunkSeconds } from "./recognizers.ts";
import { toSegments, toWordSegments } from "./segments.ts";
import { planStretches, type Stretch } from "./spans.ts";
import { type Activity, findRegions, type Region } from "./speech-regions.ts";

/** What the workers do. A job that is not wanted any more is told so by its signal. */
export interface Listeners {
  readonly count: number;
  run(job: ListenerJob, signal: AbortSignal, onOver?: OnJobOver): Promise<ListenerResult>;
}

export interface DecodedFile {
  readonly path: string;
  readonly seconds: number;
}

/** How a recording is to be written down, once its language is known. */
export interface Assignment {
  readonly engine: RecognizerName;
  readonly language: string;
}

/** What is asked before: undefined lets the language be detected. */
export type Assign = (language: string | undefined) => Assignment | undefined;

/** Looked through at a time: a whole number of chunks. */
const FIND_SECONDS = 2048 * chunkSeconds;
/** Jobs that a recording has under way, beside those that run: enough that no worker waits, and no more than others can bear. */
const JOBS_WAITING = 1;
/** Of the whole, by experience. */
const SHARE_OF_FINDING = 0.05;

/** Finds who speaks when, in which language, and what. */
export async function transcribeSamples(
  file: DecodedFile,
  request: Pick<TranscriptionRequest, "granularity" | "language" | "onProgress" | "trace">,
  assign: Assign,
  listeners: Listeners,
  signal: AbortSignal,
): Promise<Transcript> {
  const { trace = noSpan } = request;
  const atOnce = listeners.count + JOBS_WAITING;
  let share = 0;
  let told = 0;
  const advance = (by: number) => {
    share = Math.min(1, share + by);
    // It may start over, but nobody needs to see that.
    told = Math.max(told, share);
    request.onProgress?.(told);
  };

  const parts = partsOf(file.seconds);
  const find = (sum: OnJobOver) =>
    inParallel(parts, atOnce, signal, async (region, stop) => {
      const result = await ask(listeners, { type: "find", path: file.path, region }, "found", stop, sum);
      advance(SHARE_OF_FINDING / parts.length);
      return result;
    });
  const stretches = await during(trace, "vad", async (span) => {
    const found = await find(summing(span));
    const activity: Activity = {
      chunkSeconds,
      probabilities: joined(found.map((part) => part.probabilities)),
      levels: joined(found.map((part) => part.levels)),
    };
    const regions = withinAudio(findRegions(activity), file.seconds);
    span.set({ parts: parts.length, regions: regions.length, speech_seconds: secondsOf(regions) });
    return planStretches(regions, activity, listeners.count);
  });
  if (stretches.length === 0) return nothingSaid(file, request);

  const total = stretches.reduce((sum, stretch) => sum + stretch.to - stretch.from, 0);
  const write = async ({ engine, language }: Assignment, end: AbortSignal): Promise<Written> => {
    const before = share;
    try {
      const words = await inParallel(stretches, atOnce, end, async (stretch, stop) => {
        const job = { type: "write", path: file.path, stretch, engine, language } as const;
        const about = { engine, language, audio_seconds: secondsOf([stretch]) };
        const written = await ask(listeners, job, "written", stop, (report) =>
          traceJob(trace, "transcription", report, about),
        );
        advance(((1 - SHARE_OF_FINDING) * (stretch.to - stretch.from)) / total);
        return written.words;
      });
      return { language, words };
    } catch (error) {
      share = before;
      throw error;
    }
  };
  const given = assign(request.language);
  const written = given
    ? await write(given, signal)
    : await guessing(assign, write, (end) => detect(file, stretches, listeners, trace, end), signal);
  if (!written) return nothingSaid(file, request);
  const { language } = written;
  const words = joinWords(written.words, isSpaced(language), file.seconds);
  if (words.length === 0) return nothingSaid(file, request);
  request.onProgress?.(1);
  return {
    text: textOf(words),
    duration: file.seconds,
    language,
    segments: request.granularity === "word" ? toWordSegments(words) : toSegments(words),
  };
}

interface Written {
  readonly language: string;
  readonly words: readonly (readonly HeardWord[])[];
}

/**
 * Most recordings are English, and to be sure of that takes as long as to write down a short one. So it is written as English
 * while it is asked what it is; what was wrong is given up at once.
 */
async function guessing(
  assign: Assign,
  write: (assignment: Assignment, signal: AbortSignal) => Promise<Written>,
  detect: (signal: AbortSignal) => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<Written | undefined> {
  const english = assign("en");
  const wrong = new AbortController();
  // First in the queue: with two workers one detects, and the other writes.
  const detecting = detect(signal);
  // Not with Whisper: a guess that costs as much as the answer is no bargain.
  const isCheap = english?.engine === "moonshine";
  const guess = isCheap ? write(english, AbortSignal.any([signal, wrong.signal])) : undefined;
  guess?.catch(() => {});
  try {
    const language = await detecting;
    if (guess && language === english?.language) return await guess;
    wrong.abort(new Error("it is another language"));
    const assignment = language === undefined ? undefined : assign(language);
    return assignment && (await write(assignment, signal));
  } finally {
    wrong.abort(new Error("it is not wanted any more"));
  }
}

function nothingSaid(file: DecodedFile, request: Pick<TranscriptionRequest, "onProgress">): Transcript {
  request.onProgress?.(1);
  return { text: "", duration: file.seconds, language: undefined, segments: [] };
}

async function detect(
  file: DecodedFile,
  stretches: readonly Stretch[],
  listeners: Listeners,
  trace: Span,
  signal: AbortSignal,
): Promise<string | undefined> {
  const opinions: (readonly LanguageGuess[])[] = [];
  for (const stretch of tellingStretches(stretches)) {
    const job = { type: "detect", path: file.path, stretch } as const;
    const about = { audio_seconds: secondsOf([stretch]) };
    const onOver: OnJobOver = (report) => traceJob(trace, "language", report, about);
    opinions.push((await ask(listeners, job, "detected", signal, onOver)).guesses);
    if (isSettled(opinions, file.seconds)) break;
  }
  return chooseLanguage(opinions);
}

async function ask<T extends ListenerResult["type"]>(
  listeners: Listeners,
  job: ListenerJob,
  type: T,
  signal: AbortSignal,
  onOver: OnJobOver,
): Promise<Extract<ListenerResult, { type: T }>> {
  const result = await listeners.run(job, signal, onOver);
  if (result.type !== type) throw new Error(`a worker answered "${result.type}" instead of "${type}"`);
  return result as Extract<ListenerResult, { type: T }>;
}

/** Looking through a recording is many small jobs: one span tells of all. */
function summing(span: Span): OnJobOver {
  let busy = 0;
  let queue: number | undefined;
  return ({ work, queuedAt, busyMs }) => {
    busy += busyMs;
    // How long the first of them waited is how long the recording did.
    queue ??= work && Math.max(0, work.from - queuedAt);
    span.set({ busy_ms: roundMs(busy), ...(queue === undefined ? {} : { queue_ms: roundMs(queue) }) });
  };
}

function secondsOf(regions: readonly Region[]): number {
  return roundMs(regions.reduce((sum, { from, to }) => sum + to - from, 0));
}

function partsOf(seconds: number): Region[] {
  return Array.from({ length: Math.ceil(seconds / FIND_SECONDS) }, (_, index) => ({
    from: index * FIND_SECONDS,
    to: Math.min(seconds, (index + 1) * FIND_SECONDS),
  }));
}

/** The last chunk is filled up with silence that the recording does not have. */
function withinAudio(regions: readonly Region[], seconds: number): Region[] {
  return regions.map(({ from, to }) => ({ from, to: Math.min(to, seconds) })).filter(({ from, to }) => to > from);
}

function joined(pieces: readonly Float32Array[]): Float32Array {
  const whole = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

/** One text out of the stretches': their words in order, all within the audio. */
function joinWords(written: readonly (readonly HeardWord[])[], spaced: boolean, seconds: number): HeardWord[] {
  const words: HeardWord[] = [];
  for (const stretch of written) {
    stretch.forEach((word, index) => {
      const start = Math.min(Math.max(word.start, words.at(-1)?.start ?? 0), seconds);
      const end = Math.min(Math.max(word.end, start), seconds);
      words.push({ ...word, start, end, joined: index === 0 ? !spaced && words.length > 0 : word.joined });
    });
  }
  return words;
}
