import type { TracedRequest } from "@parlance/protocol";
import { formatAgo } from "../../lib/format.ts";
import { Link } from "../../lib/router.tsx";
import { formatAudio, formatDuration } from "./format-duration.ts";
import { Outcome } from "./outcome.tsx";

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** The time of day; with the date where that is not today's. */
const formatWhen = (iso: string): string => {
  const today = new Date(iso).toDateString() === new Date().toDateString();
  return today ? clock.format(new Date(iso)) : formatMoment(iso);
};

/** The date and the second. */
export const formatMoment = (iso: string): string => exact.format(new Date(iso));

export function RequestTable({ requests }: { readonly requests: readonly TracedRequest[] }) {
  const longest = Math.max(...requests.map(({ duration_ms }) => duration_ms), 1);
  return (
    <table className="table requests">
      <thead>
        <tr>
          <th>Request</th>
          <th>When</th>
          <th>Status</th>
          <th>Duration</th>
          <th className="end">First audio</th>
          <th className="end">Audio</th>
        </tr>
      </thead>
      <tbody>
        {requests.map((request) => (
          <tr key={request.trace_id + request.span_id}>
            <td data-label="Request">
              <Link to={`traces/${encodeURIComponent(request.trace_id)}`}>
                <span className="mono">{request.route}</span>
                <span className="visually-hidden"> at {clock.format(new Date(request.started_at))}, trace</span>{" "}
                <span className="mono small soft trace-id">{request.trace_id.slice(0, 8)}</span>
              </Link>
            </td>
            <td data-label="When" title={formatMoment(request.started_at)}>
              <span className="number">{formatWhen(request.started_at)}</span>{" "}
              <span className="small soft ago">{formatAgo(request.started_at)}</span>
            </td>
            <td data-label="Status">
              <Outcome request={request} />
            </td>
            <td data-label="Duration">
              <span className="took">
                <span className="number">{formatDuration(request.duration_ms)}</span>
                <span className="track" aria-hidden="true">
                  <span style={{ width: `${(request.duration_ms / longest) * 100}%` }} />
                </span>
              </span>
            </td>
            <td data-label="First audio" className={`end number ${request.first_audio_ms === null ? "without" : ""}`}>
              {request.first_audio_ms === null ? "–" : formatDuration(request.first_audio_ms)}
            </td>
            <td data-label="Audio" className={`end number ${request.audio_seconds === null ? "without" : ""}`}>
              {request.audio_seconds === null ? "–" : formatAudio(request.audio_seconds)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
