import { setTimeout as sleep } from "node:timers/promises";
import { errorCode } from "../lib/errors.ts";
import { ModelStoreError } from "./errors.ts";
import type { StoreTimeouts } from "./timeouts.ts";

/** An error after which a try may be repeated. */
export class TransientError extends Error {}

export interface Try {
  /** Aborts with the caller's signal, and when the try stalls. */
  readonly signal: AbortSignal;
  /** Bytes have arrived: restarts the stall timeout. */
  onData(): void;
}

const maxPauseMs = 30_000;
/** Bytes between failures reset the count of failed tries; this is the limit of all tries. */
const maxTries = 200;

/** Tries until it succeeds, fails permanently, or has failed too often in a row without any byte. */
export async function withRetries<T>(
  url: string,
  timeouts: StoreTimeouts,
  signal: AbortSignal,
  attempt: (current: Try) => Promise<T>,
): Promise<T> {
  let failedTries = 0;
  for (let count = 1; ; count++) {
    signal.throwIfAborted();
    const stall = new AbortController();
    let progressed = false;
    const stalled = () => stall.abort(new TransientError(`no data for ${timeouts.stallMs / 1000} s`));
    const timer = setTimeout(stalled, timeouts.stallMs);
    const onData = () => {
      progressed = true;
      timer.refresh();
    };
    try {
      return await attempt({ signal: AbortSignal.any([signal, stall.signal]), onData });
    } catch (error) {
      signal.throwIfAborted();
      const cause: unknown = stall.signal.aborted ? stall.signal.reason : error;
      failedTries = progressed ? 1 : failedTries + 1;
      if (!isTransient(cause) || failedTries >= timeouts.tries || count >= maxTries) throw unreachable(url, cause);
      const pause = retryAfterMs(cause) ?? timeouts.backoffMs * 2 ** (failedTries - 1) * (0.75 + Math.random() / 2);
      await sleep(Math.min(pause, maxPauseMs), undefined, { signal });
    } finally {
      clearTimeout(timer);
    }
  }
}

function isTransient(error: unknown): boolean {
  if (error instanceof TransientError) return true;
  const status = statusOf(error);
  if (status !== undefined) return status >= 500 || status === 408 || status === 425 || status === 429;
  return transientCodes.has(errorCode(error) ?? "");
}

/** An unknown host name or an invalid certificate is not transient. */
const transientCodes = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "ECONNABORTED",
  "EPIPE",
  "ETIMEDOUT",
  "EAI_AGAIN",
  "ENETUNREACH",
  "EHOSTUNREACH",
  "ECONNECTIONTIMEOUT",
  "EIDLETIMEOUT",
  "ERESPONSETIMEOUT",
  "ETRANSFERTIMEOUT",
  "ERR_STREAM_PREMATURE_CLOSE",
  "HPE_INVALID_CONSTANT",
]);

function unreachable(url: string, cause: unknown): unknown {
  if (cause instanceof ModelStoreError) return cause;
  const status = statusOf(cause);
  // Errors of the file system are returned unchanged.
  if (status === undefined && !(cause instanceof TransientError) && !isNetworkError(cause)) return cause;
  const reason = status === undefined ? messageOf(cause) : `status ${status}`;
  return new ModelStoreError("unreachable", `${withoutSecrets(url)}: ${reason}`, cause);
}

function isNetworkError(error: unknown): boolean {
  return error instanceof Error && (error.name === "FetchError" || transientCodes.has(errorCode(error) ?? ""));
}

export function statusOf(error: unknown): number | undefined {
  return error instanceof Error && "statusCode" in error && typeof error.statusCode === "number"
    ? error.statusCode
    : undefined;
}

function retryAfterMs(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("headers" in error)) return undefined;
  const headers = error.headers;
  if (typeof headers !== "object" || headers === null) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(headers, "retry-after")?.value;
  const seconds = Number(Array.isArray(value) ? value[0] : value);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined;
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // "request to URL failed, reason: …": the URL is in the message already.
  return message.replace(/^request to \S+ failed, reason: /, "");
}

function withoutSecrets(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return url.href;
}
