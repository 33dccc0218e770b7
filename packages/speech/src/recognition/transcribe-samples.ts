import { textOf } from "../engines/attention/token-words.ts";
import { chunkSeconds } from "../engines/silero/chunks.ts";
import { concatSamples } from "../lib/concat.ts";
import { parallelMap } from "../lib/parallel-map.ts";
import { noSpan, withSpan } from "../lib/tracing.ts";
import type { OnJobEnd } from "../pool/job-report.ts";
import type { Transcript, TranscriptionRequest } from "../transcript.ts";
import type { Assign, Assignment } from "./assign.ts";
import { inScript } from "./chinese-script.ts";
import { detectLanguage } from "./detect-language.ts";
import { createProgress } from "./progress.ts";
import type { RecognitionWorkers } from "./recognition-pool.ts";
import { runJob, secondsOf, summarizeJobs } from "./run-jobs.ts";
import { toSegments, toWordSegments } from "./segments.ts";
import { planSpans, type SpeechSpan } from "./spans.ts";
import { attributeWords, embedSpeech, type KnownVoice, type SpeakersWork } from "./speakers/find-speakers.ts";
import { type Activity, findRegions, type Region } from "./speech-regions.ts";
import { createTextDelivery } from "./text-delivery.ts";
import { type SpanWork, type TranscribedWord, transcribeSpan, transcribeStretches } from "./transcribe-span.ts";
import { transcribeWhileDetecting } from "./transcribe-while-detecting.ts";

export interface DecodedFile {
  readonly path: string;
  readonly seconds: number;
}

type Request = Pick<
  TranscriptionRequest,
  "granularity" | "hints" | "language" | "onProgress" | "onText" | "script" | "task" | "trace" | "wordTimes"
> & {
  /** Speaker diarization. */
  readonly speakers?: { readonly count?: number | undefined; readonly known: readonly KnownVoice[] } | undefined;
};

/** The length of audio in one job of speech detection: a whole number of chunks. */
const DETECTION_SECONDS = 2048 * chunkSeconds;
/** Jobs of a recording that wait for a worker: enough that no worker is idle, and few enough for other recordings. */
const QUEUED_JOBS = 1;
/** The share of speech detection in the whole work, as measured. */
const DETECTION_SHARE = 0.05;

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
  const { task = "transcribe", hints } = request;
  const work: SpanWork = { path: file.path, task, hints, assign, workers, trace };
  const requested = assign(request.language);
  // The language of a single region was detected as that of the recording.
  const mayChange = requested === undefined && (spans.length > 1 || (spans[0]?.regions.length ?? 0) > 1);
  let undelivered: { readonly error: unknown } | undefined;
  const onUndelivered = (error: unknown): void => {
    undelivered ??= { error };
  };
  const transcribe = async (
    assignment: Assignment,
    stop: AbortSignal,
    accepted: Promise<void>,
  ): Promise<readonly (readonly TranscribedWord[])[]> => {
    const before = progress.share;
    const deliver = createTextDelivery(request.onText, accepted, onUndelivered);
    try {
      return await parallelMap(spans, concurrency, stop, async (span, jobSignal, index) => {
        const words = mayChange
          ? await transcribeStretches(span, assignment, work, jobSignal, accepted)
          : (await transcribeSpan(span, assignment, work, jobSignal)).words;
        const written = request.script === undefined ? words : await inScript(words, request.script);
        progress.advance(((1 - DETECTION_SHARE) * (span.to - span.from)) / total);
        deliver(index, written);
        return written;
      });
    } catch (error) {
      progress.reset(before);
      throw error;
    }
  };
  const transcribed = requested
    ? await transcribe(requested, signal, Promise.resolve())
    : await transcribeWhileDetecting(
        assign,
        transcribe,
        (stop) => detectLanguage(file, spans, workers, trace, stop),
        signal,
      );
  if (undelivered) throw undelivered.error;
  const transcript = joinWords(transcribed ?? [], file.seconds);
  if (transcript.length === 0) return noSpeech(file, request);
  const speakersWork: SpeakersWork = { path: file.path, workers, concurrency, trace };
  const { words, speakers } = request.speakers
    ? await assignSpeakers(transcript, spans, request.speakers, speakersWork, signal)
    : { words: transcript, speakers: undefined };
  request.onProgress?.(1);
  return {
    text: textOf(words),
    duration: file.seconds,
    language: mainLanguage(words),
    segments: request.granularity === "word" ? toWordSegments(words) : toSegments(words),
    ...(request.wordTimes === true ? { words: toWordSegments(words) } : {}),
    ...(speakers === undefined ? {} : { speakers }),
  };
}

async function assignSpeakers(
  words: readonly TranscribedWord[],
  spans: readonly SpeechSpan[],
  request: NonNullable<Request["speakers"]>,
  work: SpeakersWork,
  signal: AbortSignal,
) {
  return attributeWords(words, await embedSpeech(spans, work, signal), request, work, signal);
}

async function detectSpeech(
  file: DecodedFile,
  { trace = noSpan, onText }: Request,
  workers: RecognitionWorkers,
  concurrency: number,
  onDone: (share: number) => void,
  signal: AbortSignal,
): Promise<SpeechSpan[]> {
  const parts = partsOf(file.seconds);
  return withSpan(trace, "vad", async (span) => {
    const onEnd: OnJobEnd = summarizeJobs(span);
    const results = await parallelMap(parts, concurrency, signal, async (region, stop) => {
      const job = { type: "detect-speech", audio: { path: file.path }, region } as const;
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
    return planSpans(regions, activity, workers.count, onText !== undefined);
  });
}

function noSpeech(file: DecodedFile, { onProgress, speakers }: Pick<Request, "onProgress" | "speakers">): Transcript {
  onProgress?.(1);
  const none = { text: "", duration: file.seconds, language: undefined, segments: [] };
  return speakers === undefined ? none : { ...none, speakers: [] };
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
function joinWords(spans: readonly (readonly TranscribedWord[])[], seconds: number): TranscribedWord[] {
  const words: TranscribedWord[] = [];
  for (const word of spans.flat()) {
    const start = Math.min(Math.max(word.start, words.at(-1)?.start ?? 0), seconds);
    const end = Math.min(Math.max(word.end, start), seconds);
    words.push({ ...word, start, end, joined: word.joined && words.length > 0 });
  }
  return words;
}

/** The language that is spoken for the longest time. */
function mainLanguage(words: readonly TranscribedWord[]): string | undefined {
  const seconds = new Map<string, number>();
  for (const { language, start, end } of words) seconds.set(language, (seconds.get(language) ?? 0) + end - start);
  return [...seconds].sort((a, b) => b[1] - a[1])[0]?.[0];
}
