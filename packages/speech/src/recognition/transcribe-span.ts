import { once } from "node:events";
import type { RecognitionHints, RecognitionTask, RecognizedWord } from "../engines/recognizer.ts";
import { recognizerDescriptor } from "../engines/registry.ts";
import { isSpaced } from "../lib/language-names.ts";
import type { Span } from "../lib/tracing.ts";
import { traceJob } from "../pool/job-span.ts";
import type { Assign, Assignment } from "./assign.ts";
import { isCertainEnglish } from "./confidence.ts";
import { splitByLanguage } from "./language-stretches.ts";
import type { RecognitionWorkers } from "./recognition-pool.ts";
import { runJob, secondsOf } from "./run-jobs.ts";
import type { SpeechSpan } from "./spans.ts";

/** A word and the language (ISO 639-1) that is spoken where it stands. */
export interface TranscribedWord extends RecognizedWord {
  readonly language: string;
  /** The index of the speaker, with speaker diarization. */
  readonly speaker?: number | undefined;
}

export interface SpanWork {
  /** Path of the decoded recording. */
  readonly path: string;
  readonly task: RecognitionTask;
  readonly hints?: RecognitionHints | undefined;
  readonly assign: Assign;
  readonly workers: RecognitionWorkers;
  readonly trace: Span;
}

/** The words of one span, all in the assigned language. */
export async function transcribeSpan(
  span: SpeechSpan,
  { engine, language }: Assignment,
  { path, task, hints, workers, trace }: SpanWork,
  signal: AbortSignal,
): Promise<{ readonly words: readonly TranscribedWord[]; readonly confidence: number }> {
  const job = { type: "transcribe", audio: { path }, span, engine, language, task, hints } as const;
  const attributes = { engine, language, audio_seconds: secondsOf([span]) };
  const { words, confidence } = await runJob(workers, job, "words", signal, (report) =>
    traceJob(trace, "transcription", report, attributes),
  );
  const spaced = task === "translate" || isSpaced(language);
  const inLanguage = words.map((word, index) => ({ ...word, language, joined: index === 0 ? !spaced : word.joined }));
  return { words: inLanguage, confidence };
}

/**
 * The words of one span whose language was not requested: each stretch in its own language. `usual` is the language of the
 * recording. A recognizer that is certain of its words needs no check; one that was trained with many languages is never
 * certain, because it translates.
 */
export async function transcribeStretches(
  span: SpeechSpan,
  usual: Assignment,
  work: SpanWork,
  signal: AbortSignal,
  accepted: Promise<void>,
): Promise<readonly TranscribedWord[]> {
  const knowsOneLanguage = recognizerDescriptor(usual.engine).languages.length === 1;
  const first = knowsOneLanguage ? await transcribeSpan(span, usual, work, signal) : undefined;
  if (first && isCertainEnglish(first)) return first.words;
  // Nothing is checked as long as the whole recording may be in another language.
  signal.throwIfAborted();
  await Promise.race([accepted, once(signal, "abort")]);
  signal.throwIfAborted();
  const { path, workers, trace, assign } = work;
  const stretches = await splitByLanguage(span, usual.language, async (part) => {
    const job = { type: "detect-language", audio: { path }, span: part } as const;
    const attributes = { audio_seconds: secondsOf([part]) };
    const { guesses } = await runJob(workers, job, "language", signal, (report) =>
      traceJob(trace, "language", report, attributes),
    );
    return guesses;
  });
  const isUsual = stretches.every(({ language }) => language === usual.language);
  if (isUsual) return first?.words ?? (await transcribeSpan(span, usual, work, signal)).words;
  const words: TranscribedWord[] = [];
  for (const { span: part, language } of stretches) {
    const stretch = await transcribeSpan(part, assign(language) ?? usual, work, signal);
    words.push(...stretch.words);
  }
  return words;
}
