import type { SystemReport } from "@parlance/protocol";
import { useEffect } from "react";
import { formatAgo, formatBytes, formatDateTime, formatNumber } from "../../lib/format.ts";
import { client } from "../../lib/server.ts";
import { useLoad } from "../../lib/use-load.ts";
import { Metrics } from "../../ui/metrics.tsx";
import { Fault, Loading } from "../../ui/notice.tsx";
import { Settings } from "./settings.tsx";

const REFRESH_MS = 5000;

/** The state of the server, refreshed every few seconds. */
export function System() {
  const report = useLoad((signal) => client.admin.system({ signal }), []);
  const { reload } = report;
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === "visible" && reload(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [reload]);
  const { data } = report;
  if (data === undefined) {
    return (
      <section className="card">
        {report.error ? <Fault error={report.error} retry={reload} /> : <Loading what="the state of the server" />}
      </section>
    );
  }
  const metrics: readonly (readonly [string, string])[] = [
    ["Running requests", formatNumber(data.streams)],
    ["Voices", formatNumber(data.voices)],
    ["Server memory", formatBytes(data.memory.server_bytes)],
    ["Workers' memory", formatBytes(data.memory.workers_bytes)],
    ["Free on the machine", formatBytes(data.memory.machine_free_bytes)],
    ["Event loop, p99", `${data.event_loop_p99_ms.toFixed(1)} ms`],
  ];
  return (
    <div className="stack">
      <Fault error={report.error} retry={reload} />
      <section className="card stack" aria-label="State">
        <div className="row apart">
          <h2>Parlance {data.version}</h2>
          <span className={`badge ${data.draining ? "warn" : "good"}`}>
            {data.draining ? "shutting down" : "running"}
          </span>
        </div>
        <p className="small soft">
          {data.runtime}, {data.cores} cores, {data.database} · started {formatAgo(data.started_at)} (
          {formatDateTime(data.started_at)})
        </p>
        <Metrics metrics={metrics} minWidth="10rem" />
      </section>
      <Engines engines={data.engines} />
      <Settings settings={data.settings} />
    </div>
  );
}

function Engines({ engines }: { readonly engines: SystemReport["engines"] }) {
  return (
    <section className="card" aria-label="Engines">
      <header>
        <h2>Engines</h2>
      </header>
      <table className="table">
        <thead>
          <tr>
            <th>Engine</th>
            <th>Task</th>
            <th>State</th>
            <th className="end">Workers</th>
          </tr>
        </thead>
        <tbody>
          {engines.map((engine) => (
            <tr key={engine.name}>
              <td data-label="Engine">{engine.name}</td>
              <td data-label="Task">{engine.task}</td>
              <td data-label="State">
                <span className={`badge ${engine.ready ? "good" : "warn"}`}>
                  {engine.ready ? "ready" : "not installed"}
                </span>
              </td>
              <td data-label="Workers" className="end number">
                {engine.workers}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
