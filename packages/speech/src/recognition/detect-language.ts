import type { LanguageGuess } from "../engines/recognizer.ts";
import type { Span } from "../lib/tracing.ts";
import { traceJob } from "../pool/job-span.ts";
import { chooseLanguage, isDecided, representativeSpans } from "./choose-language.ts";
import type { RecognitionWorkers } from "./recognition-pool.ts";
import { runJob, secondsOf } from "./run-jobs.ts";
import type { SpeechSpan } from "./spans.ts";

/** Detects the language of a recording (ISO 639-1) in a few of its spans. Undefined when there is no speech. */
export async function detectLanguage(
  file: { readonly path: string; readonly seconds: number },
  spans: readonly SpeechSpan[],
  workers: RecognitionWorkers,
  trace: Span,
  signal: AbortSignal,
): Promise<string | undefined> {
  const guesses: (readonly LanguageGuess[])[] = [];
  for (const span of representativeSpans(spans)) {
    const job = { type: "detect-language", audio: { path: file.path }, span } as const;
    const attributes = { audio_seconds: secondsOf([span]) };
    const result = await runJob(workers, job, "language", signal, (report) =>
      traceJob(trace, "language", report, attributes),
    );
    guesses.push(result.guesses);
    if (isDecided(guesses, file.seconds)) break;
  }
  return chooseLanguage(guesses);
}
