import { describeSpanError, type SpanRow, spanRows } from "@parlance/client";
import type { SpanRecord, TraceRecord } from "@parlance/protocol";
import { printable } from "../printable.ts";
import type { Style, Terminal } from "../terminal.ts";
import { statusOf, timeOf } from "./list.ts";

type Request = TraceRecord["requests"][number];

export interface WaterfallOptions {
  /** Characters in a line; undefined without a terminal: then no bars are drawn. */
  readonly columns: number | undefined;
  readonly verbose: boolean;
  readonly style: Style;
}

/** The requests of a trace, one below the other. */
export function printTrace(
  { trace_id, requests }: TraceRecord,
  { verbose, terminal }: { readonly verbose: boolean; readonly terminal: Terminal },
): void {
  const style = terminal.resultStyle;
  const columns = process.stdout.isTTY ? process.stdout.columns : undefined;
  terminal.print(`${style.bold("trace")} ${printable(trace_id)}`);
  for (const request of requests) {
    terminal.print("");
    for (const line of drawRequest(request, { columns, verbose, style })) terminal.print(line);
  }
}

/** The request, and a line for each of its steps: name, bar, start, duration and error. */
export function drawRequest(request: Request, { columns, verbose, style }: WaterfallOptions): readonly string[] {
  const rows = spanRows(request.spans);
  const names = rows.map(
    ({ span, depth, chunk }) => "  ".repeat(depth) + printable(span.name) + (chunk === undefined ? "" : ` ${chunk}`),
  );
  const starts = rows.map(({ span }) => inMs(span.start_ms));
  const times = rows.map(({ span }) => inMs(span.duration_ms));
  const [nameWidth, startWidth, timeWidth] = [widest(names, "STEP"), widest(starts, "START"), widest(times, "TOOK")];
  const taken = nameWidth + startWidth + timeWidth + 3 * GAP.length;
  // A very short bar is not useful.
  const barWidth = columns === undefined || columns - taken < MIN_BAR ? 0 : columns - taken;
  const scale = Math.max(request.duration_ms, ...rows.map(({ span }) => span.start_ms + span.duration_ms));
  const line = (name: string, bar: string, start: string, time: string): string =>
    [
      name.padEnd(nameWidth),
      ...(barWidth === 0 ? [] : [bar]),
      start.padStart(startWidth),
      time.padStart(timeWidth),
    ].join(GAP);
  const lines = [...headlines(request, style), style.bold(line("STEP", " ".repeat(barWidth), "START", "TOOK"))];
  for (const [index, row] of rows.entries()) {
    const { span, depth } = row;
    const drawn = drawBar(row, scale, barWidth);
    const bar = span.error === null ? style.green(drawn) : style.red(drawn);
    lines.push(line(names[index] ?? "", bar, starts[index] ?? "", times[index] ?? ""));
    const indent = "  ".repeat(depth + 1);
    if (span.error !== null) lines.push(`${indent}${style.red(`error: ${printable(describeSpanError(span.error))}`)}`);
    if (verbose) lines.push(...attributes(span).map((text) => `${indent}${style.dim(text)}`));
  }
  if (request.dropped_spans > 0) lines.push(style.dim(`and ${request.dropped_spans} more steps, which were not kept`));
  return lines;
}

const GAP = "  ";
const MIN_BAR = 8;

function headlines(request: Request, style: Style): readonly string[] {
  const status = statusOf(request);
  const details = [
    `${timeOf(request)} UTC`,
    `${inMs(request.duration_ms)} in total`,
    ...(request.first_audio_ms === null ? [] : [`first audio after ${inMs(request.first_audio_ms)}`]),
    ...(request.audio_seconds === null ? [] : [`${request.audio_seconds.toFixed(1)} s of audio`]),
  ];
  const outcome = request.ok ? style.green(status) : style.red(status);
  return [`${style.bold(printable(request.route))}  ${outcome}`, style.dim(details.join(", "))];
}

/** The span of a step, and before it the time that it waited. Even the shortest step is visible. */
function drawBar({ span: { start_ms, duration_ms }, queueMs }: SpanRow, scale: number, width: number): string {
  if (width === 0) return "";
  // Avoids a division by zero for very short requests.
  const cell = scale > 1e-6 ? scale / width : 1;
  const from = Math.min(width - 1, Math.max(0, Math.floor(start_ms / cell)));
  const cells = (start_ms + duration_ms) / cell - from;
  const bar = cells < 0.5 ? "▏" : "█".repeat(Math.max(1, Math.round(cells)));
  const waited = Math.min(from, Math.round(queueMs / cell));
  return (" ".repeat(from - waited) + "░".repeat(waited) + bar).slice(0, width).padEnd(width);
}

function attributes({ attributes: known }: SpanRecord): readonly string[] {
  return Object.entries(known).map(([name, value]) => printable(`${name} = ${value}`));
}

function inMs(value: number): string {
  return `${value.toFixed(1)} ms`;
}

function widest(texts: readonly string[], head: string): number {
  return Math.max(head.length, ...texts.map((text) => text.length));
}
