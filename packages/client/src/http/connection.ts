import { ApiError, errorFromResponse, TRACE_ID_HEADER } from "@parlance/protocol";

/** Options of the client. */
export interface ParlanceOptions {
  /** The address of the server: `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** Not needed in pages that the server itself serves: there the session cookie identifies the caller. */
  readonly apiKey?: string | undefined;
  /** The default synthesis model. */
  readonly model?: string | undefined;
  /** How long to wait for a response to begin, and for each further chunk of it; 60 000 by default. */
  readonly timeoutMs?: number | undefined;
  /** For tests, and for environments with their own implementation. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /**
   * The WebSocket class of live sockets: by default the package `ws` in Node.js, elsewhere the global `WebSocket`. A class
   * that is given here is used as in browsers, without headers: no API key and no model, only a cookie authenticates.
   */
  readonly WebSocket?: typeof globalThis.WebSocket | undefined;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** A W3C `traceparent`: the request becomes part of that trace. */
  readonly traceparent?: string | undefined;
  /** Overrides the timeout of the client. */
  readonly timeoutMs?: number | undefined;
}

/**
 * The server could not be reached, did not respond in time, or the response broke off.
 *
 * @example
 * ```ts
 * import { ApiError, ConnectionError } from "@parlance/client";
 *
 * try {
 *   await client.tts.convert({ text: "Hello!" });
 * } catch (error) {
 *   if (error instanceof ApiError) console.error(error.code, error.status, error.retryAfterSeconds);
 *   else if (error instanceof ConnectionError) console.error("try again:", error.message);
 *   else throw error;
 * }
 * ```
 */
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
  /** The address of the server, without a trailing slash. */
  readonly base: string;
  readonly timeoutMs: number;
  /** The headers for authentication and tracing. */
  headers(call: CallOptions): Record<string, string>;
  /** Resolves with a 2xx response. Throws `ApiError`, `ConnectionError`, or the signal's reason. */
  send(method: Method, path: string, sent: Sent, call: CallOptions): Promise<OpenResponse>;
  /** Sends JSON or a form, and parses the JSON response with the schema. */
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

/** The part of a zod schema that is used here. */
export interface Schema<Data> {
  parse(value: unknown): Data;
}

export interface OpenResponse {
  readonly response: Response;
  /** Cancels the transfer. */
  readonly cancel: (reason: unknown) => void;
  /** Must be called when the body has been read. */
  readonly done: () => void;
}

const DEFAULT_TIMEOUT_MS = 60_000;

export function createConnection(options: ParlanceOptions): Connection {
  const fetch = options.fetch ?? globalThis.fetch;
  const defaultTimeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const base = options.baseUrl.replace(/\/+$/, "");
  const callHeaders = ({ traceparent }: CallOptions): Record<string, string> => ({
    ...(options.apiKey === undefined ? {} : { authorization: `Bearer ${options.apiKey}` }),
    ...(traceparent === undefined ? {} : { traceparent }),
  });
  const send = async (method: Method, path: string, sent: Sent, call: CallOptions): Promise<OpenResponse> => {
    const { signal, timeoutMs = defaultTimeoutMs } = call;
    signal?.throwIfAborted();
    const controller = new AbortController();
    // The signal also applies to the body, which is read after this function has returned.
    const onAbort = (): void => controller.abort(signal?.reason);
    const done = (): void => signal?.removeEventListener("abort", onAbort);
    signal?.addEventListener("abort", onAbort, { once: true });
    const timer = setTimeout(() => controller.abort(new Error(`no response in ${timeoutMs} ms`)), timeoutMs);
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
    timeoutMs: defaultTimeoutMs,
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
          `${method} ${base}${path}: the response cannot be read: ${describe(error)}`,
          error,
          traceId,
        );
      } finally {
        done();
      }
    },
  };
}

/** `fetch` sets the content type of a form, with the boundary of its parts. */
function asSent(body: object, headers: Headers): Sent {
  if (body instanceof FormData) return { headers, body };
  return { headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) };
}

/** `fetch` reports the reason as the cause of its error "fetch failed". */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}
