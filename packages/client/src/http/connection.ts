import { ApiError, errorFromResponse, TRACE_ID_HEADER } from "@parlance/protocol";

export interface ParlanceOptions {
  /** Where the server is: `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** Left out in pages that the server itself has served: there the session cookie says who calls. */
  readonly apiKey?: string | undefined;
  /** The synthesis model of requests that name none. */
  readonly model?: string | undefined;
  /** How long to wait for an answer to begin, and for each further piece of it. */
  readonly timeoutMs?: number | undefined;
  /** For tests and for environments that bring their own. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * What live sockets are opened with: in Node the package `ws`, elsewhere the global `WebSocket`. One that is given here
   * is used as browsers use theirs, without headers: neither key nor model is sent, and only a cookie lets it in.
   */
  readonly WebSocket?: typeof globalThis.WebSocket | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** A W3C `traceparent`, so that the server's work joins the caller's trace. */
  readonly traceparent?: string | undefined;
  /** Instead of the client's. */
  readonly timeoutMs?: number | undefined;
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
  /** The server's address, without a slash at its end. */
  readonly base: string;
  readonly timeoutMs: number;
  /** Who calls, and in which trace. */
  headers(call: CallOptions): Record<string, string>;
  /** Resolves with an answer that is 2xx. Throws `ApiError`, `ConnectionError`, or the signal's reason. */
  send(method: Method, path: string, sent: Sent, call: CallOptions): Promise<Answer>;
  /** The same for small answers: JSON, or a form, out; JSON in, checked by the schema. */
  json<Data>(
    method: Method,
    path: string,
    schema: Schema<Data>,
    call: CallOptions,
    body?: object,
    headers?: Headers,
  ): Promise<Data>;
}

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

type Headers = Readonly<Record<string, string>>;

export interface Sent {
  readonly headers?: Headers;
  readonly body?: NonNullable<RequestInit["body"]>;
}

/** What of a zod schema is needed here. */
export interface Schema<Data> {
  parse(value: unknown): Data;
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
  const usualTimeoutMs = options.timeoutMs ?? USUAL_TIMEOUT_MS;
  const base = options.baseUrl.replace(/\/+$/, "");
  const callHeaders = ({ traceparent }: CallOptions): Record<string, string> => ({
    ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
    ...(traceparent === undefined ? {} : { traceparent }),
  });
  const send = async (method: Method, path: string, sent: Sent, call: CallOptions): Promise<Answer> => {
    const { signal, timeoutMs = usualTimeoutMs } = call;
    signal?.throwIfAborted();
    const controller = new AbortController();
    // The caller's signal stays in force for the body too, which is read long after this function has returned.
    const onAbort = (): void => controller.abort(signal?.reason);
    const done = (): void => signal?.removeEventListener("abort", onAbort);
    signal?.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(() => controller.abort(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
    try {
      const response = await fetch(base + path, {
        method,
        headers: { ...callHeaders(call), ...sent.headers },
        ...(sent.body === undefined ? {} : { body: sent.body }),
        signal: controller.signal,
      });
      if (!response.ok)
        throw errorFromResponse(response.status, (name) => response.headers.get(name), await response.text());
      return { response, cancel: (reason) => controller.abort(reason), done };
    } catch (error) {
      done();
      signal?.throwIfAborted();
      if (error instanceof ApiError) throw error;
      throw new ConnectionError(`${method} ${base}${path} failed: ${describe(error)}`, error);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    base,
    timeoutMs: usualTimeoutMs,
    headers: callHeaders,
    send,
    async json(method, path, schema, call, body, headers = {}) {
      const { response, done } = await send(
        method,
        path,
        body === undefined ? { headers } : asSent(body, headers),
        call,
      );
      const traceId = response.headers.get(TRACE_ID_HEADER) ?? undefined;
      try {
        const text = await response.text();
        return schema.parse(text === "" ? undefined : JSON.parse(text));
      } catch (error) {
        call.signal?.throwIfAborted();
        throw new ConnectionError(
          `${method} ${base}${path}: the answer cannot be read: ${describe(error)}`,
          error,
          traceId,
        );
      } finally {
        done();
      }
    },
  };
}

/** A form brings its own content type, with the border between its parts. */
function asSent(body: object, headers: Headers): Sent {
  if (body instanceof FormData) return { headers, body };
  return { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** fetch hides what went wrong in the cause of "fetch failed". */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
