export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/**
 * A stretch of work that somebody may want to see later. Speech says what it does and when, in spans below the one that
 * a request brings along; who keeps them is no business of this package. Attributes are counts, times and names of
 * parts: never text, audio, or anything that tells who asked.
 */
export interface Span {
  /** A stretch inside this one. Times are milliseconds since 1970; left out: now. */
  child(name: string, attributes?: SpanAttributes, from?: number): Span;
  set(attributes: SpanAttributes): void;
  /** Once; later calls have no effect. */
  end(outcome?: SpanEnd): void;
}

export interface SpanEnd {
  readonly at?: number | undefined;
  /** Why it did not end well, in words that may be kept. */
  readonly failed?: string | undefined;
}

/** Nobody looks. */
export const noSpan: Span = { child: () => noSpan, set() {}, end() {} };

/** Milliseconds since 1970 that never run backwards, whatever happens to the machine's clock meanwhile. */
export function workClock(): number {
  return performance.timeOrigin + performance.now();
}

/** A span for as long as the work takes. What it throws is told by its code alone: messages may quote what was sent. */
export async function during<T>(
  parent: Span,
  name: string,
  work: (span: Span) => T | Promise<T>,
  attributes?: SpanAttributes,
): Promise<T> {
  const span = parent.child(name, attributes);
  try {
    const result = await work(span);
    span.end();
    return result;
  } catch (error) {
    span.end({ failed: codeOf(error) });
    throw error;
  }
}

function codeOf(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^\w{1,64}$/.test(code) ? code : "failed";
}

/** Work that is done in many small steps with others between: one span, from the first to the last of them. */
export interface Tally {
  add<T>(work: () => Promise<T>): Promise<T>;
  addNow<T>(work: () => T): T;
  /** Nothing was done: there is no span. */
  end(attributes?: SpanAttributes): void;
}

export function createTally(parent: Span, name: string, attributes: SpanAttributes): Tally {
  let from: number | undefined;
  let to = 0;
  let busy = 0;
  const step = (): (() => void) => {
    const began = workClock();
    from ??= began;
    return () => {
      to = workClock();
      busy += to - began;
    };
  };
  return {
    async add(work) {
      const done = step();
      try {
        return await work();
      } finally {
        done();
      }
    },
    addNow(work) {
      const done = step();
      try {
        return work();
      } finally {
        done();
      }
    },
    end(more) {
      if (from === undefined) return;
      parent.child(name, { ...attributes, busy_ms: roundMs(busy), ...more }, from).end({ at: to });
      from = undefined;
    },
  };
}

/** To the microsecond. */
export function roundMs(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
