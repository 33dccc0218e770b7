import { ApiError } from "@parlance/protocol";
import { ConnectionError } from "./connection.ts";

export interface RetryOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onRetry?: ((error: Error, waitMs: number) => void) | undefined;
  /** Which errors are retried; by default those that the server marks as retryable, and lost connections. */
  readonly isRetryable?: ((error: unknown) => boolean) | undefined;
}

const MAX_ATTEMPTS = 8;
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;

/** Retries temporary failures, after the server's `Retry-After` or with increasing delays. */
export async function withRetries<Result>(work: () => Promise<Result>, options: RetryOptions): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(options.isRetryable ?? isTemporary)(error) || attempt >= MAX_ATTEMPTS) throw error;
      const waitMs = waitAfter(error, attempt);
      if (error instanceof Error) options.onRetry?.(error, waitMs);
      await sleep(waitMs, options.signal);
    }
  }
}

function isTemporary(error: unknown): boolean {
  return (error instanceof ApiError && error.retryable) || error instanceof ConnectionError;
}

function waitAfter(error: unknown, attempt: number): number {
  const backoff = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  const delay =
    error instanceof ApiError && error.retryAfterSeconds !== undefined ? error.retryAfterSeconds * 1000 : backoff;
  // Jitter: clients that were refused together should not retry together.
  return delay * (1 + Math.random() / 4);
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
