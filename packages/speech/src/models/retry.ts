import { setTimeout as sleep } from "node:timers/promises";
import { errorCode, ModelStoreError } from "./errors.ts";
import type { Patience } from "./stall-timeout.ts";

/** A try that may be made again. */
export class TransientError extends Error {}

export interface Try {
  /** Aborts with the caller's signal, and when the try stalls. */
  readonly signal: AbortSignal;
  /** Sign of life: bytes have come. Winds the stall clock up again. */
  alive(): void;
}

const longestPauseMs = 30_000;
/** Bytes that trickle in between failures renew the patience; this ends it for good. */
const mostTries = 200;

/** Tries until it works, until it cannot work, or until patience ends: only tries in a row without any byte count. */
export async function withRetries<T>(
  url: string,
  patience: Patience,
  signal: AbortSignal,
  attempt: (current: Try) => Promise<T>,
): Promise<T> {
  let inVain = 0;
  for (let count = 1; ; count++) {
    signal.throwIfAborted();
    const stall = new AbortController();
    let progressed = false;
    const stalled = () => stall.abort(new TransientError(`no data for ${patience.stallMs / 1000} s`));
    const timer = setTimeout(stalled, patience.stallMs);
    const alive = () => {
      progressed = true;
      timer.refresh();
    };
    try {
      return await attempt({ signal: AbortSignal.any([signal, stall.signal]), alive });
    } catch (error) {
      signal.throwIfAborted();
      const cause: unknown = stall.signal.aborted ? stall.signal.reason : error;
      inVain = progressed ? 1 : inVain + 1;
      if (!isTransient(cause) || inVain >= patience.tries || count >= mostTries) throw unreachable(url, cause);
      const pause = retryAfterMs(cause) ?? patience.backoffMs * 2 ** (inVain - 1) * (0.75 + Math.random() / 2);
      await sleep(Math.min(pause, longestPauseMs), undefined, { signal });
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

/** A name that does not resolve or a refused certificate will not get better by itself within seconds. */
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
  // what the file system says is not about the network: it passes as it is
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
  // "request to URL failed, reason: …": the address is already named
  return message.replace(/^request to \S+ failed, reason: /, "");
}

function withoutSecrets(address: string): string {
  const url = new URL(address);
  url.username = "";
  url.password = "";
  return url.href;
}
