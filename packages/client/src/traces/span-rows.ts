import type { SpanRecord } from "@parlance/protocol";

/** A span and its place in the tree. */
export interface SpanRow {
  readonly span: SpanRecord;
  /** 0 for the outermost. */
  readonly depth: number;
  /** What it is a part of. Undefined for the outermost, and where the span above it was not kept. */
  readonly parent: SpanRecord | undefined;
  /** Which chunk of the text it belongs to, counted as in its attributes; tells spans of one name apart. */
  readonly chunk: number | undefined;
  /** How long it waited for a free worker before it began. */
  readonly queueMs: number;
}

/** The spans of a request as a waterfall shows them: each one below what it is a part of, in the order of their starts. */
export function spanRows(spans: readonly SpanRecord[]): readonly SpanRow[] {
  const ordered = [...spans].sort((one, other) => one.start_ms - other.start_ms);
  const known = new Map(ordered.map((span) => [span.span_id, span]));
  const parts = new Map<SpanRecord | undefined, SpanRecord[]>();
  for (const span of ordered) {
    const parent = span.parent_id === null ? undefined : known.get(span.parent_id);
    const siblings = parts.get(parent);
    if (siblings) siblings.push(span);
    else parts.set(parent, [span]);
  }
  const rows: SpanRow[] = [];
  const placed = new Set<SpanRecord>();
  const place = (span: SpanRecord, parent: SpanRecord | undefined, depth: number): void => {
    // Spans that claim to be parts of one another would never end.
    if (placed.has(span)) return;
    placed.add(span);
    const { chunk, queue_ms: queueMs } = span.attributes;
    rows.push({
      span,
      depth,
      parent,
      chunk: typeof chunk === "number" ? chunk : undefined,
      queueMs: typeof queueMs === "number" ? queueMs : 0,
    });
    for (const part of parts.get(span) ?? []) place(part, span, depth + 1);
  };
  for (const span of parts.get(undefined) ?? []) place(span, undefined, 0);
  for (const span of ordered) place(span, undefined, 0);
  return rows;
}
