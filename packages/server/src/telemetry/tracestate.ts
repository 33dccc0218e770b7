import { trimHeader } from "./trim-header.ts";

const KEY_REST = "[a-z0-9_\\-*/]";
const KEY = new RegExp(`^(?:[a-z]${KEY_REST}{0,255}|[a-z0-9]${KEY_REST}{0,240}@[a-z]${KEY_REST}{0,13})$`);
/** Printable ASCII without comma and equals sign; a space may not be the last. */
const VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const MAX_MEMBERS = 32;
/** The standard requires every system to propagate at least this much. */
const MAX_LENGTH = 512;
/** When there is more, members longer than this are dropped first. */
const LONG_MEMBER = 128;

/**
 * The members of a W3C `tracestate`, in their order. An invalid member makes the whole list invalid, as the standard
 * requires. Repeated headers are one list.
 */
export function readTracestate(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const members = (typeof header === "string" ? header : header.join(","))
    .split(",")
    .map(trimHeader)
    .filter((member) => member !== "");
  const keys = new Set<string>();
  for (const member of members) {
    const equals = member.indexOf("=");
    const key = member.slice(0, Math.max(0, equals));
    if (!KEY.test(key) || !VALUE.test(member.slice(equals + 1)) || keys.has(key)) return undefined;
    keys.add(key);
  }
  if (members.length === 0 || members.length > MAX_MEMBERS) return undefined;
  return shortened(members).join(",") || undefined;
}

/** Whole members only: first the long ones from the right, then any from the right. */
function shortened(members: readonly string[]): readonly string[] {
  const kept = [...members];
  const isTooLong = (): boolean => kept.join(",").length > MAX_LENGTH;
  while (isTooLong()) {
    const long = kept.findLastIndex((member) => member.length > LONG_MEMBER);
    kept.splice(long < 0 ? kept.length - 1 : long, 1);
  }
  return kept;
}
