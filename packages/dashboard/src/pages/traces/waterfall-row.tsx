import { describeSpanError, type SpanRow } from "@parlance/client";
import type { SpanRecord } from "@parlance/protocol";
import { useId, useState } from "react";
import { Icon } from "../../ui/icon.tsx";
import { formatDuration } from "./format-duration.ts";

interface WaterfallRowProps {
  readonly row: SpanRow;
  /** The duration that the full width represents, in milliseconds. */
  readonly totalMs: number;
  /** Whether it has child steps. Its bar is then drawn lighter. */
  readonly hasParts: boolean;
  /** Whether the details are open at first. */
  readonly opened: boolean;
  readonly firstAudio: number | null;
}

/** The error of a request that its client ended, which is no failure. */
export const STOPPED = "cut";

/** One step, and its details when they are open. */
export function WaterfallRow({
  row: { span, depth, parent, chunk, queueMs },
  totalMs,
  hasParts,
  opened,
  firstAudio,
}: WaterfallRowProps) {
  const [open, setOpen] = useState(opened);
  const details = useId();
  const left = Math.min(100, Math.max(0, (span.start_ms / totalMs) * 100));
  const width = Math.min(100 - left, (span.duration_ms / totalMs) * 100);
  const failed = span.error !== null && span.error !== STOPPED;
  const waited = Math.min(left, (queueMs / totalMs) * 100);
  return (
    <>
      <tr className={failed ? "failed" : ""}>
        <th scope="row">
          <button
            type="button"
            style={{ paddingInlineStart: `${0.4 + Math.min(depth, 8) * 0.9}rem` }}
            aria-expanded={open}
            aria-controls={open ? details : undefined}
            onClick={() => setOpen(!open)}
          >
            <span className="twist" aria-hidden="true" />
            <span className="cut">
              {span.name}
              {chunk !== undefined && (
                <span className="soft">
                  {" "}
                  <span className="visually-hidden">of chunk</span> {chunk}
                </span>
              )}
            </span>
            {parent && <span className="visually-hidden"> in {parent.name}</span>}
            {failed && (
              <span className="failed-icon">
                <Icon name="warning" />
                <span className="visually-hidden">, failed</span>
              </span>
            )}
          </button>
        </th>
        <td className="lane" aria-hidden="true">
          {firstAudio !== null && <span className="mark" style={{ left: `${(firstAudio / totalMs) * 100}%` }} />}
          {queueMs > 0 && <span className="wait" style={{ left: `${left - waited}%`, width: `${waited}%` }} />}
          <span className={hasParts ? "bar parts" : "bar"} style={{ left: `${left}%`, width: `${width}%` }} />
        </td>
        <td className="end number soft start">{formatDuration(span.start_ms)}</td>
        <td className="end number">{formatDuration(span.duration_ms)}</td>
      </tr>
      {open && (
        <tr className="details" id={details}>
          <td colSpan={4}>
            <SpanDetails span={span} />
          </td>
        </tr>
      )}
    </>
  );
}

function SpanDetails({ span }: { readonly span: SpanRecord }) {
  const facts: readonly (readonly [string, string])[] = [
    ["from", formatDuration(span.start_ms)],
    ["to", formatDuration(span.start_ms + span.duration_ms)],
    ...Object.entries(span.attributes).map(([name, value]) => [name, String(value)] as const),
    ["span", span.span_id],
  ];
  return (
    <div className="stack tight">
      {span.error !== null && <p className="fault">Failed: {describeSpanError(span.error)}</p>}
      <dl className="attributes">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
