import { ApiError, errorFromResponse } from "@parlance/protocol";

export interface ParlanceOptions {
  /** Where the server is: `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The synthesis model of requests that name none. */
  readonly model?: string | undefined;
  /** How long to wait for an answer to begin, and for each further piece of it. */
  readonly timeoutMs?: number | undefined;
  /** For tests and for environments that bring their own. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** A W3C `traceparent`, so that the server's work joins the caller's trace. */
  readonly traceparent?: string | undefined;
}

/** The server could not be reached, did not answer in time, or broke off its answer. */
export class ConnectionError extends Error {
  readonly retryable = true;
  readonly traceId: string | undefined;

  constructor(message: string, cause: unknown, traceId?: string) {
    super(message, { cause });
    this.name = "ConnectionError";
    this.traceId = traceId;
  }
}

export interface Connection {
  readonly timeoutMs: number;
  /** Resolves with an answer that is 2xx. Throws `ApiError`, `ConnectionError`, or the signal's reason. */
  post(
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array<ArrayBuffer>,
    call: CallOptions,
  ): Promise<Answer>;
}

export interface Answer {
  readonly response: Response;
  /** Ends the transfer. */
  readonly cancel: (reason: unknown) => void;
  /** To be called when the body has been read. */
  readonly done: () => void;
}

const USUAL_TIMEOUT_MS = 60_000;

export function createConnection(options: ParlanceOptions): Connection {
  const fetch = options.fetch ?? globalThis.fetch;
  const timeoutMs = options.timeoutMs ?? USUAL_TIMEOUT_MS;
  const base = options.baseUrl.replace(/\/+$/, "");
  return {
    timeoutMs,
    async post(path, headers, body, { signal, traceparent }) {
      signal?.throwIfAborted();
      const controller = new AbortController();
      // The caller's signal stays in force for the body too, which is read long after this function has returned.
      const onAbort = (): void => controller.abort(signal?.reason);
      const done = (): void => signal?.removeEventListener("abort", onAbort);
      signal?.addEventListener("abort", onAbort, { once: true });
      const timer = setTimeout(() => controller.abort(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
      try {
        const response = await fetch(base + path, {
          method: "POST",
          headers: {
            authorization: `Bearer ${options.apiKey}`,
            ...(traceparent === undefined ? {} : { traceparent }),
            ...headers,
          },
          body,
          signal: controller.signal,
        });
        if (!response.ok)
          throw errorFromResponse(response.status, (name) => response.headers.get(name), await response.text());
        return { response, cancel: (reason) => controller.abort(reason), done };
      } catch (error) {
        done();
        signal?.throwIfAborted();
        if (error instanceof ApiError) throw error;
        throw new ConnectionError(`POST ${base}${path} failed: ${describe(error)}`, error);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** fetch hides what went wrong in the cause of "fetch failed". */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
