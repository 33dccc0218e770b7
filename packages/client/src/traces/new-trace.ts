/** A trace that starts in the client. */
export interface NewTrace {
  readonly traceId: string;
  /** For `CallOptions`. Calls with the same value belong to one trace. */
  readonly traceparent: string;
}

/**
 * Starts a trace: random ids as the W3C recommendation on trace context defines them.
 *
 * @example
 * ```ts
 * import { newTrace } from "@parlance/client";
 *
 * const { traceId, traceparent } = newTrace();
 * await client.tts.convert({ text: "Hello!" }, { traceparent });
 * console.log(await client.traces.get(traceId));
 * ```
 */
export function newTrace(): NewTrace {
  const traceId = randomHex(16);
  return { traceId, traceparent: `00-${traceId}-${randomHex(8)}-01` };
}

/**
 * Finds a trace id in a text: the id itself, a `traceparent` or the address of a page. Undefined when there is none.
 *
 * @example
 * ```ts
 * import { findTraceId } from "@parlance/client";
 *
 * console.log(findTraceId("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
 * ```
 */
export function findTraceId(text: string): string | undefined {
  return /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/i.exec(text)?.[0].toLowerCase();
}

function randomHex(bytes: number): string {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  const hex = Array.from(values, (value) => value.toString(16).padStart(2, "0")).join("");
  return /[1-9a-f]/.test(hex) ? hex : randomHex(bytes);
}
