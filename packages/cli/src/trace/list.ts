import type { TracedRequest, TraceList } from "@parlance/protocol";
import { printable } from "../printable.ts";
import { formatTable } from "../table.ts";
import type { Terminal } from "../terminal.ts";

const HEAD = ["TRACE", "TIME", "REQUEST", "STATUS", "TOOK", "FIRST AUDIO", "AUDIO"];

/** Recent requests, one per line, the newest first. */
export function printRequests({ items, kept }: TraceList, { print, notify, resultStyle }: Terminal): void {
  if (items.length === 0) {
    notify(
      kept === 0
        ? "This server keeps no traces: its PARLANCE_TRACES is 0."
        : `No request matches. The server keeps its last ${kept} requests, until it stops.`,
    );
    return;
  }
  const [head = "", ...lines] = formatTable([HEAD, ...items.map(rowOf)]);
  print(resultStyle.bold(head));
  for (const [index, line] of lines.entries()) print(items[index]?.ok ? line : resultStyle.red(line));
  notify("The times are UTC. parlance trace ID shows the steps of one request.");
}

function rowOf(request: TracedRequest): readonly string[] {
  return [
    printable(request.trace_id),
    timeOf(request),
    printable(request.route),
    statusOf(request),
    `${request.duration_ms.toFixed(1)} ms`,
    request.first_audio_ms === null ? "-" : `${request.first_audio_ms.toFixed(1)} ms`,
    request.audio_seconds === null ? "-" : `${request.audio_seconds.toFixed(1)} s`,
  ];
}

export function timeOf({ started_at }: TracedRequest): string {
  return printable(started_at.slice(0, 19).replace("T", " "));
}

/** A stream may fail after it has started with 200. */
export function statusOf({ status, ok }: TracedRequest): string {
  return ok || status >= 400 ? String(status) : `${status}, then failed`;
}
