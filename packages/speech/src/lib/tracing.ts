export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/**
 * One timed step of a request. This package reports what it does as spans below the one that a request passes in; the caller
 * decides where they are stored. Attributes are counts, times and names of parts, never text, audio or identities.
 */
export interface Span {
  /** Starts a step inside this one. Times are milliseconds since 1970; the default is now. */
  child(name: string, attributes?: SpanAttributes, from?: number): Span;
  set(attributes: SpanAttributes): void;
  /** Ends the span. Later calls have no effect. */
  end(outcome?: SpanEnd): void;
}

export interface SpanEnd {
  readonly at?: number | undefined;
  /** Why it failed, without any content of the request. */
  readonly failed?: string | undefined;
}

/** A span that records nothing. */
export const noSpan: Span = { child: () => noSpan, set() {}, end() {} };

/** Milliseconds since 1970 that never run backwards, even when the system clock is set. */
export function monotonicTime(): number {
  return performance.timeOrigin + performance.now();
}

/** Runs work inside a span. A failure is recorded by its code only: messages may quote the request. */
export async function withSpan<T>(
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
    span.end({ failed: spanErrorCode(error) });
    throw error;
  }
}

function spanErrorCode(error: unknown): string {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "string" && /^\w{1,64}$/.test(code) ? code : "failed";
}

/** One span for work in many small steps with other work between them: from the first step to the last. */
export interface StepSpan {
  run<T>(work: () => Promise<T>): Promise<T>;
  runSync<T>(work: () => T): T;
  /** Writes the span. Without any step there is none. */
  end(attributes?: SpanAttributes): void;
}

export function createStepSpan(parent: Span, name: string, attributes: SpanAttributes): StepSpan {
  let from: number | undefined;
  let to = 0;
  let busy = 0;
  const startStep = (): (() => void) => {
    const started = monotonicTime();
    from ??= started;
    return () => {
      to = monotonicTime();
      busy += to - started;
    };
  };
  return {
    async run(work) {
      const endStep = startStep();
      try {
        return await work();
      } finally {
        endStep();
      }
    },
    runSync(work) {
      const endStep = startStep();
      try {
        return work();
      } finally {
        endStep();
      }
    },
    end(more) {
      if (from === undefined) return;
      parent.child(name, { ...attributes, busy_ms: roundMs(busy), ...more }, from).end({ at: to });
      from = undefined;
    },
  };
}

/** Rounds milliseconds to microseconds. */
export function roundMs(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
