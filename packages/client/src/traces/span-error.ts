const WORDS: Readonly<Record<string, string>> = {
  cut: "cut off: the client did not wait for the end",
  internal: "a fault of the server, which is in its log",
};

/**
 * Describes the `error` of a span. Spans hold codes, because messages could quote what was sent.
 *
 * @example
 * ```ts
 * import { describeSpanError } from "@parlance/client";
 *
 * console.log(describeSpanError("internal"));
 * ```
 */
export function describeSpanError(error: string): string {
  return WORDS[error] ?? error.replaceAll("_", " ");
}
