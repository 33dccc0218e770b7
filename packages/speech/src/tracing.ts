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
