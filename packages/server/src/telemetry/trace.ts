import { randomFillSync } from "node:crypto";
import { readTracestate } from "./tracestate.ts";

/** Where a caller's own trace stands when it calls us: W3C Trace Context. */
export interface RemoteParent {
  readonly traceId: string;
  /** The caller's span that our work belongs to. */
  readonly parentId: string;
  /** The eight bits as sent; what we do not know in them has no effect. */
  readonly flags: number;
  /** The caller wants this trace to be recorded. */
  readonly sampled: boolean;
  /** As other systems wrote it, members in their order; undefined when there was none that can be read. */
  readonly tracestate: string | undefined;
}

type TraceHeaders = Readonly<Record<string, string | string[] | undefined>>;

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 0x01;

/** The caller's trace, or undefined when it brought none that is valid. Then its tracestate means nothing either. */
export function remoteParentOf({ traceparent, tracestate }: TraceHeaders): RemoteParent | undefined {
  const parent = readTraceparent(traceparent);
  return parent && { ...parent, tracestate: readTracestate(tracestate) };
}

/** The trace id of a request: the caller's when its W3C `traceparent` is valid, a new one otherwise. */
export function traceIdOf(traceparent: string | string[] | undefined): string {
  return readTraceparent(traceparent)?.traceId ?? newTraceId();
}

export function newTraceId(): string {
  return newId(16);
}

export function newSpanId(): string {
  return newId(8);
}

function readTraceparent(header: string | string[] | undefined): Omit<RemoteParent, "tracestate"> | undefined {
  // Node joins a header that comes twice with a comma, which no valid one has.
  if (typeof header !== "string") return undefined;
  const fields = TRACEPARENT.exec(header.replace(/^[ \t]+|[ \t]+$/g, ""));
  const [, version, traceId = "", parentId = "", bits = "", rest] = fields ?? [];
  if (fields === null || version === "ff") return undefined;
  // Later versions may append fields; version 00 has exactly four.
  if (version === "00" && rest !== undefined) return undefined;
  if (isZero(traceId) || isZero(parentId)) return undefined;
  const flags = Number.parseInt(bits, 16);
  return { traceId, parentId, flags, sampled: (flags & SAMPLED) !== 0 };
}

/** To ask for a few random bytes takes longer than all else that a span does. */
const pool = Buffer.alloc(4096);
let taken = pool.length;

function newId(bytes: number): string {
  for (;;) {
    if (taken + bytes > pool.length) {
      randomFillSync(pool);
      taken = 0;
    }
    const id = pool.toString("hex", taken, taken + bytes);
    taken += bytes;
    if (!isZero(id)) return id;
  }
}

function isZero(hex: string): boolean {
  return /^0+$/.test(hex);
}
