import type { SpanRecord } from "@parlance/protocol";

/** A span and its position in the tree. */
export interface SpanRow {
  readonly span: SpanRecord;
  /** 0 for the outermost. */
  readonly depth: number;
  /** Undefined for the outermost span, and where the parent was not kept. */
  readonly parent: SpanRecord | undefined;
  /** The chunk of the text that it belongs to. It distinguishes spans of one name. */
  readonly chunk: number | undefined;
  /** How long it waited for a free worker before it started. */
  readonly queueMs: number;
}

/**
 * Orders the spans of a request as a waterfall shows them: each below its parent, by start time.
 *
 * @example
 * ```ts
 * import { spanRows } from "@parlance/client";
 *
 * const { requests } = await client.traces.get("4bf92f3577b34da6a3ce929d0e0e4736");
 * for (const { span, depth } of spanRows(requests[0]?.spans ?? [])) console.log(" ".repeat(depth) + span.name);
 * ```
 */
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
  const added = new Set<SpanRecord>();
  const add = (span: SpanRecord, parent: SpanRecord | undefined, depth: number): void => {
    // Spans that name each other as parent would never end.
    if (added.has(span)) return;
    added.add(span);
    const { chunk, queue_ms: queueMs } = span.attributes;
    rows.push({
      span,
      depth,
      parent,
      chunk: typeof chunk === "number" ? chunk : undefined,
      queueMs: typeof queueMs === "number" ? queueMs : 0,
    });
    for (const part of parts.get(span) ?? []) add(part, span, depth + 1);
  };
  for (const span of parts.get(undefined) ?? []) add(span, undefined, 0);
  for (const span of ordered) add(span, undefined, 0);
  return rows;
}
