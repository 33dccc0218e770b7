import { randomFillSync } from "node:crypto";
import { readTracestate } from "./tracestate.ts";
import { trimHeader } from "./trim-header.ts";

/** The trace context that a client sends: W3C Trace Context. */
export interface RemoteParent {
  readonly traceId: string;
  /** The client's span that our spans belong to. */
  readonly parentId: string;
  /** The eight bits as sent; unknown bits have no effect. */
  readonly flags: number;
  /** The client has sampled this trace. */
  readonly sampled: boolean;
  /** Members in their order; undefined when there is no valid one. */
  readonly tracestate: string | undefined;
}

type TraceHeaders = Readonly<Record<string, string | string[] | undefined>>;

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 0x01;

/** Undefined without a valid `traceparent`. Then `tracestate` is ignored too. */
export function remoteParentOf({ traceparent, tracestate }: TraceHeaders): RemoteParent | undefined {
  const parent = readTraceparent(traceparent);
  return parent && { ...parent, tracestate: readTracestate(tracestate) };
}

/** The trace id of a request: the client's if its W3C `traceparent` is valid, otherwise a new one. */
export function traceIdOf(traceparent: string | string[] | undefined): string {
  return readTraceparent(traceparent)?.traceId ?? newTraceId();
}

export function newTraceId(): string {
  return randomHex(16);
}

export function newSpanId(): string {
  return randomHex(8);
}

function readTraceparent(header: string | string[] | undefined): Omit<RemoteParent, "tracestate"> | undefined {
  // Node.js joins repeated headers with a comma, which is invalid here.
  if (typeof header !== "string") return undefined;
  const fields = TRACEPARENT.exec(trimHeader(header));
  const [, version, traceId = "", parentId = "", bits = "", rest] = fields ?? [];
  if (fields === null || version === "ff") return undefined;
  // Later versions may append fields; version 00 has exactly four.
  if (version === "00" && rest !== undefined) return undefined;
  if (isZero(traceId) || isZero(parentId)) return undefined;
  const flags = Number.parseInt(bits, 16);
  return { traceId, parentId, flags, sampled: (flags & SAMPLED) !== 0 };
}

/** Random bytes are generated in bulk: a call for a few bytes takes longer than everything else a span does. */
const randomPool = Buffer.alloc(4096);
let taken = randomPool.length;

function randomHex(bytes: number): string {
  for (;;) {
    if (taken + bytes > randomPool.length) {
      randomFillSync(randomPool);
      taken = 0;
    }
    const id = randomPool.toString("hex", taken, taken + bytes);
    taken += bytes;
    if (!isZero(id)) return id;
  }
}

function isZero(hex: string): boolean {
  return /^0+$/.test(hex);
}
