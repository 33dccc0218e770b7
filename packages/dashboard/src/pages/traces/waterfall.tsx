import { type SpanRow, spanRows } from "@parlance/client";
import type { TraceRecord } from "@parlance/protocol";
import { type KeyboardEvent, useMemo } from "react";
import { formatDuration } from "./format-duration.ts";
import { WaterfallRow } from "./waterfall-row.tsx";

interface WaterfallProps {
  readonly request: TraceRecord["requests"][number];
}

/** The steps of a request, each one below what it is a part of, and when each one ran. */
export function Waterfall({ request }: WaterfallProps) {
  const rows = useMemo(() => spanRows(request.spans), [request.spans]);
  const whole = Math.max(request.duration_ms, ...rows.map(({ span }) => span.start_ms + span.duration_ms), 0.001);
  const parents = useMemo(() => new Set(rows.map(({ parent }) => parent?.span_id)), [rows]);
  // A fault is passed upwards: only where it began it is told in full.
  const blamed = useMemo(
    () => new Set(rows.flatMap(({ span, parent }) => (span.error && parent ? parent.span_id : []))),
    [rows],
  );
  return (
    <table className="waterfall" onKeyDown={walk}>
      <caption className="visually-hidden">Steps of the request. Open a step to see its details.</caption>
      <thead>
        <tr>
          <th scope="col">Step</th>
          <th scope="col">
            <span className="visually-hidden">Timeline</span>
            <Ruler whole={whole} firstAudio={request.first_audio_ms} />
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
            whole={whole}
            hasParts={parents.has(row.span.span_id)}
            opened={row.span.error !== null && !blamed.has(row.span.span_id)}
            firstAudio={request.first_audio_ms}
          />
        ))}
      </tbody>
    </table>
  );
}

function Ruler({ whole, firstAudio }: { readonly whole: number; readonly firstAudio: number | null }) {
  const place = firstAudio === null ? undefined : firstAudio / whole;
  // At the end there is no room for another word.
  const told = place !== undefined && place < 0.86;
  return (
    <span className="ruler" aria-hidden="true">
      <span>{told && place < 0.1 ? "" : "0"}</span>
      {told && (
        <span className={place < 0.5 ? "mark" : "mark before"} style={{ left: `${place * 100}%` }}>
          first audio
        </span>
      )}
      <span>{formatDuration(whole)}</span>
    </span>
  );
}

/** Up and down lead from step to step, so that nobody has to pass all of them with the tabulator. */
function walk(event: KeyboardEvent<HTMLTableElement>): void {
  if (!(event.target instanceof HTMLButtonElement)) return;
  const steps = [...event.currentTarget.querySelectorAll<HTMLButtonElement>("tbody th button")];
  const at = steps.indexOf(event.target);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: steps.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  steps[to]?.focus();
}
