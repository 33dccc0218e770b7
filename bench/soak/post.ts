import { ERROR_CODE_HEADER } from "@parlance/protocol";
import type { Kind, Note } from "./notes.ts";

export interface Target {
  readonly url: string;
  readonly key: string;
}

/** What a client does with an answer of 200. Says what is wrong with it, or nothing. */
export type Check = (body: Buffer, response: Response) => string | undefined | Promise<string | undefined>;

export type Body = string | FormData;

export interface Post {
  readonly kind: Kind;
  readonly path: string;
  readonly method?: string;
  readonly body?: Body;
  readonly type?: string;
  readonly price?: number | undefined;
  /** When the client goes, in milliseconds; undefined: he stays. */
  readonly leaveAfterMs?: number | undefined;
  readonly check: Check;
}

/** A request is given up after this long, which is a fault. */
const MOST_MS = 120_000;
const ABSENT: readonly (string | null)[] = ["not_ready"];

/** Sends it and says what became of it, with the seconds to wait when it was refused. */
export async function post({ url, key }: Target, wanted: Post): Promise<Note & { readonly retryAfter?: number }> {
  const { kind, path, price, leaveAfterMs, check } = wanted;
  const leaving = AbortSignal.timeout(leaveAfterMs ?? MOST_MS);
  const note = { kind, price, traceId: undefined as string | undefined };
  const gone =
    leaveAfterMs === undefined ? ({ outcome: "broken", about: "no end" } as const) : ({ outcome: "left" } as const);
  let response: Response;
  try {
    response = await fetch(url + path, {
      method: wanted.method ?? "POST",
      headers: {
        authorization: `Bearer ${key}`,
        ...(kind === "asr" ? {} : { model: "s2-pro" }),
        ...(wanted.type === undefined ? {} : { "content-type": wanted.type }),
      },
      body: wanted.body ?? null,
      signal: leaving,
    });
    note.traceId = response.headers.get("x-trace-id") ?? undefined;
  } catch (error) {
    return leaving.aborted
      ? { ...note, ...gone }
      : { ...note, outcome: "broken", about: `no answer: ${reason(error)}` };
  }
  let body: Buffer;
  try {
    body = Buffer.from(await response.arrayBuffer());
  } catch (error) {
    return leaving.aborted ? { ...note, ...gone } : { ...note, outcome: "cut", about: reason(error) };
  }
  const code = response.headers.get(ERROR_CODE_HEADER);
  if (response.status === 503) {
    const retryAfter = Number(response.headers.get("retry-after"));
    if (ABSENT.includes(code)) return { ...note, outcome: "absent", retryAfter: Math.max(1, retryAfter) };
    if (retryAfter >= 1) return { ...note, outcome: "refused", retryAfter };
  }
  if (!response.ok)
    return { ...note, outcome: "broken", about: `${response.status} ${code}: ${body.toString().slice(0, 200)}` };
  const wrong = await check(body, response);
  return wrong === undefined ? { ...note, outcome: "whole" } : { ...note, outcome: "broken", about: wrong };
}

function reason(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return String(cause instanceof Error ? cause.message : error);
}
