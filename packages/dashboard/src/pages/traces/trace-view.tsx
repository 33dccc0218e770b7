import { ApiError } from "@parlance/client";
import type { TraceRecord } from "@parlance/protocol";
import { formatNumber } from "../../lib/format.ts";
import { Link } from "../../lib/router.tsx";
import { client } from "../../lib/server.ts";
import { useSession } from "../../lib/session.ts";
import { useLoad } from "../../lib/use-load.ts";
import { Button } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Metrics } from "../../ui/metrics.tsx";
import { Empty, Fault, Loading } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { formatAudio, formatDuration } from "./format-duration.ts";
import { OpenById } from "./open-by-id.tsx";
import { Outcome } from "./outcome.tsx";
import { formatMoment } from "./request-table.tsx";
import { Waterfall } from "./waterfall.tsx";

type RequestWithSpans = TraceRecord["requests"][number];

/** All requests of one trace. Several requests may share a trace id. */
export function TraceView({ traceId }: { readonly traceId: string }) {
  const isAdmin = useSession().account.role === "admin";
  const trace = useLoad(
    (signal) => (isAdmin ? client.traces.all : client.traces).get(traceId, { signal }),
    [traceId, isAdmin],
  );
  const missing = trace.error instanceof ApiError && trace.error.status === 404;
  return (
    <Page title="Trace" actions={<OpenById />}>
      <div className="stack">
        <div className="row apart">
          <Link className="button" to="traces">
            <Icon name="traces" /> Recent requests
          </Link>
          <div className="row">
            <code className="cut trace-id">{traceId}</code>
            <CopyButton text={traceId} label="Copy the id" />
            <Button icon="refresh" aria-label="Refresh" title="Refresh" onClick={trace.reload} />
          </div>
        </div>
        {trace.data === undefined && trace.loading && (
          <section className="card">
            <Loading what="the trace" />
          </section>
        )}
        {missing ? (
          <section className="card">
            <Empty icon="search" title="Trace not found">
              <p>
                A server keeps only its latest requests, until it stops. Traces of other servers are not shown.
                {!isAdmin && " Requests of other accounts are not shown."} A request that is still running appears when
                it has ended.
              </p>
            </Empty>
          </section>
        ) : (
          <Fault error={trace.error} retry={trace.reload} />
        )}
        {trace.data?.requests.map((request) => (
          <RequestCard key={request.span_id} request={request} />
        ))}
      </div>
    </Page>
  );
}

function RequestCard({ request }: { readonly request: RequestWithSpans }) {
  const metrics: [string, string][] = [["Duration", formatDuration(request.duration_ms)]];
  if (request.first_audio_ms !== null) metrics.push(["First audio", formatDuration(request.first_audio_ms)]);
  if (request.audio_seconds !== null) metrics.push(["Audio", formatAudio(request.audio_seconds)]);
  metrics.push(["Steps", formatNumber(request.spans.length + request.dropped_spans)]);
  return (
    <section className="card stack" aria-label={`${request.route} at ${formatMoment(request.started_at)}`}>
      <div className="row apart">
        <h2>
          <span className="mono">{request.route}</span>
        </h2>
        <span className="row">
          <span className="soft number">{formatMoment(request.started_at)}</span>
          <Outcome request={request} />
        </span>
      </div>
      <Metrics metrics={metrics} minWidth="8rem" />
      <Waterfall request={request} />
      {request.dropped_spans > 0 && (
        <p className="small soft">{formatNumber(request.dropped_spans)} further steps were not kept.</p>
      )}
    </section>
  );
}
