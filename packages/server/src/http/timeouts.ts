import { SpeechError } from "@parlance/speech";

/** The result of the work, unless it is stopped or takes too long. */
export async function withinTimeout<Result>(
  work: Promise<Result>,
  signal: AbortSignal,
  milliseconds: number,
): Promise<Result> {
  if (await settlesWithin(work, signal, milliseconds)) return work;
  throw noAudioError(milliseconds);
}

/** Whether the work is done, well or not, before the time is over. Throws when it is stopped. */
export function settlesWithin(work: Promise<unknown>, signal: AbortSignal, milliseconds: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => resolve(false)), milliseconds);
    const onAbort = (): void => settle(() => reject(stoppedError(signal)));
    const settle = (outcome: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      outcome();
    };
    const done = (): void => settle(() => resolve(true));
    work.then(done, done);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
  });
}

export function stoppedError(signal: AbortSignal): SpeechError {
  return new SpeechError("closed", "the synthesis was stopped", undefined, signal.reason);
}

export function noAudioError(milliseconds: number): SpeechError {
  return new SpeechError("overloaded", `no audio for ${milliseconds} ms`, 5);
}
