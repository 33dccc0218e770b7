import { ERROR_CODE_HEADER } from "@parlance/protocol";
import type { Kind, Result } from "./results.ts";

export interface Target {
  readonly url: string;
  readonly key: string;
}

/** Checks a response with status 200. Returns a description of the error, or undefined. */
export type Check = (body: Buffer, response: Response) => string | undefined | Promise<string | undefined>;

export type Body = string | FormData;

export interface Post {
  readonly kind: Kind;
  readonly path: string;
  readonly method?: string;
  readonly body?: Body;
  readonly type?: string;
  readonly price?: number | undefined;
  /** When the client aborts, in milliseconds. */
  readonly abortAfterMs?: number | undefined;
  readonly check: Check;
}

/** The deadline of a request. Reaching it is a fault. */
const MAX_MS = 120_000;
const UNAVAILABLE: readonly (string | null)[] = ["not_ready"];

/** Sends a request and returns its result, with the retry time in seconds if it was refused. */
export async function post({ url, key }: Target, request: Post): Promise<Result & { readonly retryAfter?: number }> {
  const { kind, path, price, abortAfterMs, check } = request;
  const aborting = AbortSignal.timeout(abortAfterMs ?? MAX_MS);
  const result = { kind, price, traceId: undefined as string | undefined };
  const onAbort =
    abortAfterMs === undefined ? ({ outcome: "failed", about: "no end" } as const) : ({ outcome: "aborted" } as const);
  let response: Response;
  try {
    response = await fetch(url + path, {
      method: request.method ?? "POST",
      headers: {
        authorization: `Bearer ${key}`,
        ...(kind === "asr" ? {} : { model: "s2-pro" }),
        ...(request.type === undefined ? {} : { "content-type": request.type }),
      },
      body: request.body ?? null,
      signal: aborting,
    });
    result.traceId = response.headers.get("x-trace-id") ?? undefined;
  } catch (error) {
    return aborting.aborted
      ? { ...result, ...onAbort }
      : { ...result, outcome: "failed", about: `no response: ${reason(error)}` };
  }
  let body: Buffer;
  try {
    body = Buffer.from(await response.arrayBuffer());
  } catch (error) {
    return aborting.aborted ? { ...result, ...onAbort } : { ...result, outcome: "interrupted", about: reason(error) };
  }
  const code = response.headers.get(ERROR_CODE_HEADER);
  if (response.status === 503) {
    const retryAfter = Number(response.headers.get("retry-after"));
    if (UNAVAILABLE.includes(code)) return { ...result, outcome: "unavailable", retryAfter: Math.max(1, retryAfter) };
    if (retryAfter >= 1) return { ...result, outcome: "refused", retryAfter };
  }
  if (!response.ok)
    return { ...result, outcome: "failed", about: `${response.status} ${code}: ${body.toString().slice(0, 200)}` };
  const problem = await check(body, response);
  return problem === undefined ? { ...result, outcome: "complete" } : { ...result, outcome: "failed", about: problem };
}

function reason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return String(cause instanceof Error ? cause.message : error);
}
