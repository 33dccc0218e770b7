import { ApiError } from "@parlance/protocol";
import { ConnectionError } from "./connection.ts";

export interface RetryOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onRetry?: ((error: Error, waitMs: number) => void) | undefined;
  /** What is worth another try; by default whatever the server says may pass, and connections that broke. */
  readonly passes?: ((error: unknown) => boolean) | undefined;
}

const MOST_TRIES = 8;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;

/** Tries again what may pass by itself, after as long as the server asked for, or ever longer. */
export async function withRetries<Result>(work: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(options.passes ?? mayPass)(error) || tries >= MOST_TRIES) throw error;
      const waitMs = waitAfter(error, tries);
      if (error instanceof Error) options.onRetry?.(error, waitMs);
      await sleep(waitMs, options.signal);
    }
  }
}

function mayPass(error: unknown): boolean {
  return (error instanceof ApiError && error.retryable) || error instanceof ConnectionError;
}

function waitAfter(error: unknown, tries: number): number {
  const grown = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (tries - 1));
  const asked =
    error instanceof ApiError && error.retryAfterSeconds !== undefined ? error.retryAfterSeconds * 1000 : grown;
  // Not all at the same moment: whoever was refused together would be again.
  return asked * (1 + Math.random() / 4);
}

function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, milliseconds);
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort, { once: true });
  });
}
