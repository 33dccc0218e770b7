import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Cloning, Speech, Transcription } from "@parlance/speech";
import type { Config } from "../config/config.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { listenForMetrics, type MetricsListener } from "../metrics/metrics-listener.ts";
import { type Bootstrap, bootstrap } from "../services/identity/bootstrap.ts";
import { openStore } from "../stores/open-store.ts";
import type { Log } from "../telemetry/log.ts";
import { logEvent } from "../telemetry/log-events.ts";
import type { TraceExport } from "../telemetry/trace-export.ts";
import { buildApp } from "./app.ts";
import type { AppParts } from "./app-parts.ts";
import { VERSION } from "./version.ts";

export interface ServerParts {
  readonly config: Config;
  /** Belongs to the caller, who closes it after the server. */
  readonly speech: Speech;
  /** Belongs to the caller too. */
  readonly transcription: Transcription;
  /** And so does this. Left out: no voices can be made, only spoken with. */
  readonly cloning?: Cloning | undefined;
  readonly log: Log;
  readonly node?: AppParts["node"];
  /** What the engines above do. */
  readonly events?: AppParts["events"];
}

export interface RunningServer {
  /** Where it can be reached from this machine. */
  readonly url: string;
  readonly port: number;
  /** Where figures are read, if that is a port of its own. */
  readonly metricsPort: number | undefined;
  readonly bootstrap: Bootstrap;
  /** Takes nothing new, lets running streams finish for the drain time, cuts the rest. Safe to call again. */
  close(): Promise<void>;
}

export async function startServer({
  config,
  speech,
  transcription,
  cloning,
  log,
  node = {},
  events,
}: ServerParts): Promise<RunningServer> {
  const store = await openStore(config, (err) => logEvent(log, "database.connection-lost", { err }));
  try {
    const booted = await bootstrap(store, config.adminKey, {
      password: config.adminPassword,
      email: config.adminEmail,
    });
    for (const reason of booted.warnings) logEvent(log, "setting.ignored", { reason });
    const { http, activeRequests, metrics } = buildApp({
      config,
      speech,
      transcription,
      cloning,
      store,
      log,
      node,
      events,
      traceExport: await traceExport(config, log),
      dashboard: dashboardFolder(),
    });
    const figures = await listenForFigures(metrics, config);
    try {
      await http.listen({ host: config.host, port: config.port });
    } catch (error) {
      await figures?.close();
      throw error;
    }
    const address = http.server.address();
    const port = typeof address === "object" && address !== null ? address.port : config.port;

    const stop = async (): Promise<void> => {
      activeRequests.drain();
      logEvent(log, "shutdown.started", { streams: activeRequests.size });
      let deadline: NodeJS.Timeout | undefined;
      const over = new Promise<void>((resolve) => {
        deadline = setTimeout(() => {
          logEvent(log, "shutdown.timed-out", { streams: activeRequests.size });
          activeRequests.abortAll(new Error("the server is shutting down"));
          http.server.closeAllConnections();
          resolve();
        }, config.drainSeconds * 1000);
      });
      try {
        // Until then it listens: whoever comes is told that it stops, and those who watch see why it takes so long.
        await Promise.race([activeRequests.whenIdle(), over]);
        await http.close();
      } finally {
        clearTimeout(deadline);
        await figures?.close();
        await store.close();
      }
    };
    let stopping: Promise<void> | undefined;
    return {
      url: `http://${urlHost(config.host)}:${port}`,
      port,
      metricsPort: figures?.port,
      bootstrap: booted,
      close() {
        stopping ??= stop();
        return stopping;
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function listenForFigures(metrics: Metrics, config: Config): Promise<MetricsListener | undefined> {
  const { metricsPort, metricsHost, metricsKey } = config;
  if (metricsPort === undefined) return undefined;
  try {
    return await listenForMetrics(metrics, { host: metricsHost, port: metricsPort, key: metricsKey });
  } catch (error) {
    // Named here: whoever is told otherwise looks for the port of the service.
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Error(`PARLANCE_METRICS_PORT: cannot listen on port ${metricsPort} of ${metricsHost} (${code})`, {
      cause: error,
    });
  }
}

/** What it takes to export is only loaded where something is exported. */
async function traceExport({ otlp }: Config, log: Log): Promise<TraceExport | undefined> {
  if (otlp === undefined) return undefined;
  const { createTraceExport } = await import("../telemetry/trace-export.ts");
  return createTraceExport(otlp, { version: VERSION, log });
}

/** An address to listen on is not always one to connect to. */
export function urlHost(host: string): string {
  if (host === "0.0.0.0" || host === "::") return "localhost";
  return host.includes(":") ? `[${host}]` : host;
}

/** The dashboard is a package of built files, which need not be there. */
function dashboardFolder(): string | undefined {
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve("@parlance/dashboard/package.json")), "dist");
    return existsSync(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}
