import { textOf } from "../engines/attention/token-words.ts";
import type { RecognizedWord } from "../engines/recognizer.ts";
import { concatSamples } from "../lib/concat.ts";
import { isSpaced } from "../lib/language-names.ts";
import { parallelMap } from "../lib/parallel-map.ts";
import { noSpan, withSpan } from "../lib/tracing.ts";
import type { OnJobEnd } from "../pool/job-report.ts";
import { traceJob } from "../pool/job-span.ts";
import type { Transcript, TranscriptionRequest } from "../transcript.ts";
import type { Assign, Assignment } from "./assign.ts";
import { detectLanguage } from "./detect-language.ts";
import { createProgress } from "./progress.ts";
import type { RecognitionWorkers } from "./recognition-pool.ts";
import { chunkSeconds } from "./run-job.ts";
import { runJob, secondsOf, summarizeJobs } from "./run-jobs.ts";
import { toSegments, toWordSegments } from "./segments.ts";
import { planSpans, type SpeechSpan } from "./spans.ts";
import { type Activity, findRegions, type Region } from "./speech-regions.ts";
import { transcribeWhileDetecting } from "./transcribe-while-detecting.ts";

export interface DecodedFile {
  readonly path: string;
  readonly seconds: number;
}

type Request = Pick<TranscriptionRequest, "granularity" | "language" | "onProgress" | "trace">;

/** The length of audio in one job of speech detection: a whole number of chunks. */
const DETECTION_SECONDS = 2048 * chunkSeconds;
/** Jobs of a recording that wait for a worker: enough that no worker is idle, and few enough for other recordings. */
const QUEUED_JOBS = 1;
/** The share of speech detection in the whole work, as measured. */
const DETECTION_SHARE = 0.05;

/** The words of each span, and their language. */
export interface TranscribedSpans {
  readonly language: string;
  readonly words: readonly (readonly RecognizedWord[])[];
}

/** Finds the speech in a decoded file, its language, and the words. */
export async function transcribeSamples(
  file: DecodedFile,
  request: Request,
  assign: Assign,
  workers: RecognitionWorkers,
  signal: AbortSignal,
): Promise<Transcript> {
  const { trace = noSpan } = request;
  const concurrency = workers.count + QUEUED_JOBS;
  const progress = createProgress(request.onProgress);
  const onSpeechDetected = (share: number) => progress.advance(DETECTION_SHARE * share);
  const spans = await detectSpeech(file, request, workers, concurrency, onSpeechDetected, signal);
  if (spans.length === 0) return noSpeech(file, request);

  const total = spans.reduce((sum, span) => sum + span.to - span.from, 0);
  const transcribe = async ({ engine, language }: Assignment, stop: AbortSignal): Promise<TranscribedSpans> => {
    const before = progress.share;
    try {
      const words = await parallelMap(spans, concurrency, stop, async (span, jobSignal) => {
        const job = { type: "transcribe", path: file.path, span, engine, language } as const;
        const attributes = { engine, language, audio_seconds: secondsOf([span]) };
        const result = await runJob(workers, job, "words", jobSignal, (report) =>
          traceJob(trace, "transcription", report, attributes),
        );
        progress.advance(((1 - DETECTION_SHARE) * (span.to - span.from)) / total);
        return result.words;
      });
      return { language, words };
    } catch (error) {
      progress.reset(before);
      throw error;
    }
  };
  const assignment = assign(request.language);
  const transcribed = assignment
    ? await transcribe(assignment, signal)
    : await transcribeWhileDetecting(
        assign,
        transcribe,
        (stop) => detectLanguage(file, spans, workers, trace, stop),
        signal,
      );
  if (!transcribed) return noSpeech(file, request);
  const { language } = transcribed;
  const words = joinWords(transcribed.words, isSpaced(language), file.seconds);
  if (words.length === 0) return noSpeech(file, request);
  request.onProgress?.(1);
  return {
    text: textOf(words),
    duration: file.seconds,
    language,
    segments: request.granularity === "word" ? toWordSegments(words) : toSegments(words),
  };
}

async function detectSpeech(
  file: DecodedFile,
  { trace = noSpan }: Request,
  workers: RecognitionWorkers,
  concurrency: number,
  onDone: (share: number) => void,
  signal: AbortSignal,
): Promise<SpeechSpan[]> {
  const parts = partsOf(file.seconds);
  return withSpan(trace, "vad", async (span) => {
    const onEnd: OnJobEnd = summarizeJobs(span);
    const results = await parallelMap(parts, concurrency, signal, async (region, stop) => {
      const job = { type: "detect-speech", path: file.path, region } as const;
      const result = await runJob(workers, job, "speech", stop, onEnd);
      onDone(1 / parts.length);
      return result;
    });
    const activity: Activity = {
      chunkSeconds,
      probabilities: concatSamples(results.map((part) => part.probabilities)),
      levels: concatSamples(results.map((part) => part.levels)),
    };
    const regions = withinAudio(findRegions(activity), file.seconds);
    span.set({ parts: parts.length, regions: regions.length, speech_seconds: secondsOf(regions) });
    return planSpans(regions, activity, workers.count);
  });
}

function noSpeech(file: DecodedFile, request: Pick<TranscriptionRequest, "onProgress">): Transcript {
  request.onProgress?.(1);
  return { text: "", duration: file.seconds, language: undefined, segments: [] };
}

function partsOf(seconds: number): Region[] {
  return Array.from({ length: Math.ceil(seconds / DETECTION_SECONDS) }, (_, index) => ({
    from: index * DETECTION_SECONDS,
    to: Math.min(seconds, (index + 1) * DETECTION_SECONDS),
  }));
}

/** The last chunk is padded with silence that the recording does not have. */
function withinAudio(regions: readonly Region[], seconds: number): Region[] {
  return regions.map(({ from, to }) => ({ from, to: Math.min(to, seconds) })).filter(({ from, to }) => to > from);
}

/** Joins the words of the spans: in order, and all within the audio. */
function joinWords(spans: readonly (readonly RecognizedWord[])[], spaced: boolean, seconds: number): RecognizedWord[] {
  const words: RecognizedWord[] = [];
  for (const span of spans) {
    span.forEach((word, index) => {
      const start = Math.min(Math.max(word.start, words.at(-1)?.start ?? 0), seconds);
      const end = Math.min(Math.max(word.end, start), seconds);
      words.push({ ...word, start, end, joined: index === 0 ? !spaced && words.length > 0 : word.joined });
    });
  }
  return words;
}
