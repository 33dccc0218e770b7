/** A trace that begins at the caller. */
export interface NewTrace {
  readonly traceId: string;
  /** For `CallOptions`: calls with the same one belong to one trace. */
  readonly traceparent: string;
}

/** Ids as the W3C recommendation wants them: random, and never all zeros. */
export function newTrace(): NewTrace {
  const traceId = randomHex(16);
  return { traceId, traceparent: `00-${traceId}-${randomHex(8)}-01` };
}

/** The trace id in what somebody has copied: the id itself, a `traceparent`, the address of a page. */
export function findTraceId(text: string): string | undefined {
  return /(?<![0-9a-f])[0-9a-f]{32}(?![0-9a-f])/i.exec(text)?.[0].toLowerCase();
}

function randomHex(bytes: number): string {
  const values = crypto.getRandomValues(new Uint8Array(bytes));
  const hex = Array.from(values, (value) => value.toString(16).padStart(2, "0")).join("");
  return /[1-9a-f]/.test(hex) ? hex : randomHex(bytes);
}
