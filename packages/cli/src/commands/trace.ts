import { MAX_TRACES_PER_PAGE, OPERATIONS, type Operation } from "@parlance/protocol/values";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Context } from "../context.ts";
import { UsageError } from "../errors.ts";
import { interruptible } from "../interrupt.ts";
import type { ServerOptions } from "../voices/connect.ts";

interface TraceOptions extends ServerOptions {
  readonly status?: "ok" | "error";
  readonly operation?: Operation;
  readonly minMs?: number;
  readonly maxMs?: number;
  readonly limit?: number;
  readonly all?: boolean;
  readonly verbose?: boolean;
  readonly json?: boolean;
}

export function addTrace(program: Command, context: Context): void {
  program
    .command("trace")
    .description("show how long the steps of a request took; without an id, list the recent requests of a server")
    .argument("[id]", "the trace id: the header x-trace-id of a response, or a traceparent")
    .addOption(new Option("--status <which>", "only requests that succeeded, or that failed").choices(["ok", "error"]))
    .addOption(new Option("--operation <kind>", "only this kind of request").choices(OPERATIONS))
    .option("--min-ms <time>", "only requests that took at least this many milliseconds", milliseconds)
    .option("--max-ms <time>", "only requests that took at most this many milliseconds", milliseconds)
    .option("--limit <count>", `how many requests, up to ${MAX_TRACES_PER_PAGE} (50)`, count)
    .option("--all", "requests of all accounts, for admins")
    .option("--verbose", "also the attributes of each step")
    .option("--json", "print JSON, as the API does")
    .option("--server <url>", "the server (PARLANCE_URL)")
    .option("--key <key>", "its API key (better: PARLANCE_API_KEY, which others cannot see)")
    .addHelpText(
      "after",
      `
Examples:
  parlance trace --server http://127.0.0.1:8080
  export PARLANCE_URL=http://127.0.0.1:8080 PARLANCE_API_KEY=…
  parlance trace --status error --operation live
  parlance trace --min-ms 1000 --limit 10
  parlance trace 4bf92f3577b34da6a3ce929d0e0e4736 --verbose
  parlance trace 4bf92f3577b34da6a3ce929d0e0e4736 --json | jq '.requests[].spans[] | [.name, .duration_ms]'

A server keeps its latest requests in memory, until it stops. In a terminal the steps are drawn as bars, with ░ for the
time that they waited for a free worker; otherwise their times are printed as a table.`,
    )
    .action((id: string | undefined, options: TraceOptions) =>
      interruptible((signal) => trace(id, options, context, signal)),
    );
}

async function trace(
  id: string | undefined,
  options: TraceOptions,
  { environment, terminal }: Context,
  signal: AbortSignal,
): Promise<void> {
  const [{ findTraceId }, { findServer }, { withAdvice, withAdviceOn }] = await Promise.all([
    import("@parlance/client"),
    import("../voices/connect.ts"),
    import("../trace/advice.ts"),
  ]);
  const traceId = id === undefined ? undefined : findTraceId(id);
  if (id !== undefined && traceId === undefined) {
    throw new UsageError("a trace id has 32 hex digits: see the header x-trace-id of the response");
  }
  const client = findServer(options, environment);
  if (client === undefined) {
    throw new UsageError("traces are kept by the server: name it with --server or PARLANCE_URL");
  }
  const traces = options.all ? client.traces.all : client.traces;
  if (traceId === undefined) {
    const { status, operation, minMs: min_ms, maxMs: max_ms, limit } = options;
    const found = await withAdvice(traces.list({ status, operation, min_ms, max_ms, limit }, { signal }));
    if (options.json) terminal.print(JSON.stringify(found, null, 2));
    else (await import("../trace/list.ts")).printRequests(found, terminal);
    return;
  }
  const found = await withAdviceOn(traceId, traces, options.all === true, signal);
  if (options.json) terminal.print(JSON.stringify(found, null, 2));
  else (await import("../trace/waterfall.ts")).printTrace(found, { verbose: options.verbose === true, terminal });
}

function milliseconds(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0)) throw new InvalidArgumentError("It must be a number of milliseconds.");
  return value;
}

function count(text: string): number {
  const value = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= MAX_TRACES_PER_PAGE) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MAX_TRACES_PER_PAGE}.`);
}
