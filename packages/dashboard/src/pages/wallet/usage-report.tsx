import type { UsageReport as Report, UsageGroup, UsageRow } from "@parlance/protocol";
import { useMemo, useState } from "react";
import { formatClock, formatCompact, formatNumber } from "../../lib/format.ts";
import { Link } from "../../lib/router.tsx";
import { useLoad } from "../../lib/use-load.ts";
import { DayChart } from "../../ui/chart.tsx";
import { SelectField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Metrics } from "../../ui/metrics.tsx";
import { Empty, Fault, Loading } from "../../ui/notice.tsx";
import { Tabs } from "../../ui/tabs.tsx";

const PERIODS = [7, 30, 90, 365];
const MEASURES = [
  { value: "credits", label: "Credits", format: formatCompact },
  { value: "requests", label: "Requests", format: formatCompact },
  { value: "audio_seconds", label: "Audio", format: formatClock },
] as const;
type Measure = (typeof MEASURES)[number]["value"];
type TableGroup = Exclude<UsageGroup, "day">;
const NAMES: Readonly<Record<TableGroup, string>> = { key: "By key", operation: "By operation", user: "By user" };

interface UsageReportProps {
  readonly load: (query: { from: string; group_by: UsageGroup }, signal: AbortSignal) => Promise<Report>;
  /** The address of the report as CSV. */
  readonly csv: string;
  readonly groups?: readonly TableGroup[];
}

/** Usage by day as a chart, and by key, operation or user as a table. */
export function UsageReport({ load, csv, groups = ["key", "operation"] }: UsageReportProps) {
  const [period, setPeriod] = useState(30);
  const [measure, setMeasure] = useState<Measure>("credits");
  const [group, setGroup] = useState<TableGroup>(groups[0] ?? "key");
  const from = firstDay(period);
  const byDay = useLoad((signal) => load({ from, group_by: "day" }, signal), [from]);
  const byGroup = useLoad((signal) => load({ from, group_by: group }, signal), [from, group]);
  const { format, label } = MEASURES.find((each) => each.value === measure) ?? MEASURES[0];
  const chart = useMemo(() => series(byDay.data, measure), [byDay.data, measure]);
  return (
    <section className="card stack" aria-label="Usage">
      <div className="row apart">
        <h2>Usage</h2>
        <div className="row">
          <Tabs label="Metric" value={measure} options={MEASURES} onChange={setMeasure} />
          <div style={{ minWidth: "9rem" }}>
            <SelectField label="Days" value={period} onChange={(event) => setPeriod(Number(event.target.value))}>
              {PERIODS.map((days) => (
                <option key={days} value={days}>
                  last {days} days
                </option>
              ))}
            </SelectField>
          </div>
        </div>
      </div>
      <Fault error={byDay.error} retry={byDay.reload} />
      {byDay.data === undefined && byDay.loading && <Loading what="the usage" />}
      {byDay.data?.total.requests === 0 && (
        <Empty icon="traces" title="No usage in this period">
          <p>
            Requests of this dashboard and of <Link to="keys">API keys</Link> are counted by day, key and operation.
          </p>
        </Empty>
      )}
      {byDay.data !== undefined && byDay.data.total.requests > 0 && (
        <>
          <Totals report={byDay.data} />
          <DayChart label={`${label} by day`} days={chart.days} values={chart.values} format={format} />
          <div className="row apart">
            <Tabs
              label="Group by"
              value={group}
              options={groups.map((value) => ({ value, label: NAMES[value] }))}
              onChange={setGroup}
            />
            <a className="button" href={`${csv}?format=csv&from=${from}&group_by=${group}`} download>
              <Icon name="download" /> CSV
            </a>
          </div>
          <Fault error={byGroup.error} retry={byGroup.reload} />
          {byGroup.data && <Rows report={byGroup.data} />}
        </>
      )}
    </section>
  );
}

function Totals({ report: { total } }: { readonly report: Report }) {
  const metrics: readonly (readonly [string, string])[] = [
    ["Requests", formatNumber(total.requests)],
    ["Credits", formatNumber(total.credits)],
    ["Audio", formatClock(total.audio_seconds)],
    ["Errors", formatNumber(total.errors_4xx + total.errors_5xx)],
    ["First audio, p50", inMs(total.first_audio_p50_ms)],
    ["First audio, p95", inMs(total.first_audio_p95_ms)],
  ];
  return <Metrics metrics={metrics} />;
}

function Rows({ report }: { readonly report: Report }) {
  return (
    <table className="table">
      <thead>
        <tr>
          <th>{report.group_by === "operation" ? "Operation" : report.group_by === "user" ? "User" : "Key"}</th>
          <th className="end">Requests</th>
          <th className="end">Characters</th>
          <th className="end">Audio</th>
          <th className="end">Credits</th>
          <th className="end">Errors</th>
          <th className="end">First audio p50 / p95</th>
        </tr>
      </thead>
      <tbody>
        {report.rows.map((row) => (
          <tr key={nameOf(row)}>
            <td>{nameOf(row)}</td>
            <td data-label="Requests" className="end number">
              {formatNumber(row.requests)}
            </td>
            <td data-label="Characters" className="end number">
              {formatNumber(row.characters)}
            </td>
            <td data-label="Audio" className="end number">
              {formatClock(row.audio_seconds)}
            </td>
            <td data-label="Credits" className="end number">
              {formatNumber(row.credits)}
            </td>
            <td data-label="Errors" className="end number">
              {formatNumber(row.errors_4xx + row.errors_5xx)}
            </td>
            <td data-label="First audio" className="end number">
              {inMs(row.first_audio_p50_ms)} / {inMs(row.first_audio_p95_ms)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function nameOf(row: UsageRow): string {
  if (row.operation !== undefined) return row.operation;
  if (row.user_id !== undefined) return row.user_email ?? row.user_name ?? row.user_id;
  if (row.key_id === null) return "dashboard";
  return `${row.key_name ?? "deleted key"} (${row.key_prefix ?? row.key_id ?? ""}…)`;
}

function inMs(value: number | null): string {
  return value === null ? "–" : `${Math.round(value)} ms`;
}

const DAY_MS = 86_400_000;

function firstDay(days: number): string {
  return new Date(Date.now() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
}

/** One value for every day, 0 for days without usage. */
function series(report: Report | undefined, measure: Measure): { days: string[]; values: number[] } {
  if (report === undefined) return { days: [], values: [] };
  const known = new Map(report.rows.map((row) => [row.day, row[measure]]));
  const days: string[] = [];
  for (let time = Date.parse(report.from); time <= Date.parse(report.to); time += DAY_MS) {
    days.push(new Date(time).toISOString().slice(0, 10));
  }
  return { days, values: days.map((day) => known.get(day) ?? 0) };
}
