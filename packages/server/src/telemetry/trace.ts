import { randomBytes } from "node:crypto";

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(-.*)?$/;

/** The trace id of a request: the caller's when its W3C `traceparent` is valid, a new one otherwise. */
export function traceIdOf(traceparent: string | string[] | undefined): string {
  return (typeof traceparent === "string" ? continued(traceparent) : undefined) ?? newTraceId();
}

export function newTraceId(): string {
  return randomBytes(16).toString("hex");
}

function continued(traceparent: string): string | undefined {
  const [, version, traceId, parentId, rest] = TRACEPARENT.exec(traceparent.trim()) ?? [];
  if (traceId === undefined || version === "ff") return undefined;
  // Later versions may append fields; version 00 has exactly four.
  if (version === "00" && rest !== undefined) return undefined;
  return isZero(traceId) || isZero(parentId ?? "") ? undefined : traceId;
}

function isZero(hex: string): boolean {
  return /^0+$/.test(hex);
}
