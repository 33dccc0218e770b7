import { type SpanRow, spanRows } from "@parlance/client";
import type { TraceRecord } from "@parlance/protocol";
import { type KeyboardEvent, useMemo } from "react";
import { formatDuration } from "./format-duration.ts";
import { STOPPED, WaterfallRow } from "./waterfall-row.tsx";

interface WaterfallProps {
  readonly request: TraceRecord["requests"][number];
}

/** The steps of a request as a tree, with a timeline. */
export function Waterfall({ request }: WaterfallProps) {
  const rows = useMemo(() => spanRows(request.spans), [request.spans]);
  const totalMs = Math.max(request.duration_ms, ...rows.map(({ span }) => span.start_ms + span.duration_ms), 0.001);
  const parents = useMemo(() => new Set(rows.map(({ parent }) => parent?.span_id)), [rows]);
  // Errors propagate to the parents: only the step where one started opens its details.
  const failedThroughChild = useMemo(
    () => new Set(rows.flatMap(({ span, parent }) => (span.error && parent ? parent.span_id : []))),
    [rows],
  );
  return (
    <table className="waterfall" onKeyDown={moveFocus}>
      <caption className="visually-hidden">Steps of the request. Open a step to see its details.</caption>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col">
            <span className="visually-hidden">Timeline</span>
            <Ruler totalMs={totalMs} firstAudio={request.first_audio_ms} />
          </th>
          <th scope="col" className="end">
            Start
          </th>
          <th scope="col" className="end">
            Duration
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row: SpanRow) => (
          <WaterfallRow
            key={row.span.span_id}
            row={row}
            totalMs={totalMs}
            hasParts={parents.has(row.span.span_id)}
            opened={row.span.error !== null && row.span.error !== STOPPED && !failedThroughChild.has(row.span.span_id)}
            firstAudio={request.first_audio_ms}
          />
        ))}
      </tbody>
    </table>
  );
}

function Ruler({ totalMs, firstAudio }: { readonly totalMs: number; readonly firstAudio: number | null }) {
  const position = firstAudio === null ? undefined : firstAudio / totalMs;
  // Near the end there is no room for the label.
  const isLabelled = position !== undefined && position < 0.86;
  return (
    <span className="ruler" aria-hidden="true">
      <span>{isLabelled && position < 0.1 ? "" : "0"}</span>
      {isLabelled && (
        <span className={position < 0.5 ? "mark" : "mark before"} style={{ left: `${position * 100}%` }}>
          first audio
        </span>
      )}
      <span>{formatDuration(totalMs)}</span>
    </span>
  );
}

/** The arrow keys, Home and End move the focus between steps. */
function moveFocus(event: KeyboardEvent<HTMLTableElement>): void {
  if (!(event.target instanceof HTMLButtonElement)) return;
  const steps = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("tbody th button")];
  const at = steps.indexOf(event.target);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: steps.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  steps[to]?.focus();
}
