import type { DialectError } from "../dialect.ts";

/** A wrong shape is a list, as its client expects of a 422; every other error is a status and a message. */
export function elevenLabsErrorBody({ status, code, message, issues }: DialectError) {
  if (status === 422) {
    return { detail: issues.map(({ loc, msg, type, in: place }) => ({ loc: [place, ...loc], msg, type })) };
  }
  return { detail: { status: code, message } };
}
