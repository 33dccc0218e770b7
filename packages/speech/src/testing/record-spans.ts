import type { Span, SpanAttributes, SpanEnd } from "../lib/tracing.ts";

export interface RecordedSpan {
  readonly name: string;
  readonly attributes: SpanAttributes;
  readonly from: number | undefined;
  end?: SpanEnd | undefined;
}

/** A span that records its children. */
export function recordSpans(): { readonly span: Span; readonly spans: RecordedSpan[] } {
  const spans: RecordedSpan[] = [];
  const span: Span = {
    child(name, attributes = {}, from) {
      const recorded: RecordedSpan = { name, attributes, from };
      spans.push(recorded);
      return { ...span, end: (end) => Object.assign(recorded, { end }) };
    },
    set() {},
    end() {},
  };
  return { span, spans };
}
