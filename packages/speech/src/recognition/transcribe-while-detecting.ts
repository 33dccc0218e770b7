import { recognizerDescriptor } from "../engines/registry.ts";
import type { Assign, Assignment } from "./assign.ts";

/**
 * Most recordings are English, and detecting that takes as long as transcribing a short one. So the recording is transcribed
 * as English while its language is detected; the transcript is dropped when it is another language. `accepted` tells a
 * transcript that it is not.
 */
export async function transcribeWhileDetecting<T>(
  assign: Assign,
  transcribe: (assignment: Assignment, signal: AbortSignal, accepted: Promise<void>) => Promise<T>,
  detect: (signal: AbortSignal) => Promise<string | undefined>,
  signal: AbortSignal,
): Promise<T | undefined> {
  const english = assign("en");
  const dropped = new AbortController();
  // First in the queue: with two workers, one detects and the other one transcribes.
  const detecting = detect(signal);
  // Not with the recognizer that detects the language: it is slow, so a wrong guess would cost too much.
  const isCheap = english !== undefined && !recognizerDescriptor(english.engine).detectsLanguage;
  let accept = (): void => {};
  const accepted = new Promise<void>((resolve) => {
    accept = resolve;
  });
  const guess = isCheap ? transcribe(english, AbortSignal.any([signal, dropped.signal]), accepted) : undefined;
  guess?.catch(() => {});
  try {
    const language = await detecting;
    if (guess && language === english?.language) {
      accept();
      return await guess;
    }
    dropped.abort(new Error("the recording is in another language"));
    const assignment = language === undefined ? undefined : assign(language);
    return assignment && (await transcribe(assignment, signal, Promise.resolve()));
  } finally {
    dropped.abort(new Error("the transcript is not needed any more"));
  }
}
