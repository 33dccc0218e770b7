import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Speech, Transcription } from "@parlance/speech";
import type { Config } from "../config/config.ts";
import type { ActiveRequests } from "../http/active-requests.ts";
import { writeAddress } from "../lib/address-file.ts";
import { urlHost } from "../lib/url-host.ts";
import type { Metrics } from "../metrics/metrics.ts";
import { listenForMetrics, type MetricsListener } from "../metrics/metrics-listener.ts";
import { type Bootstrap, bootstrap } from "../services/identity/bootstrap.ts";
import { openStore } from "../stores/open-store.ts";
import { databasePath } from "../stores/sqlite.ts";
import type { Store } from "../stores/store.ts";
import { keepDamagedLog } from "../stores/wal-check.ts";
import { createLog, type Log } from "../telemetry/log.ts";
import { logEvent } from "../telemetry/log-events.ts";
import type { TraceExport } from "../telemetry/trace-export.ts";
import { type App, buildApp } from "./app.ts";
import type { AppOverrides } from "./app-parts.ts";
import { createEngines, type EngineOverrides, type Engines } from "./engines.ts";
import { shutDown } from "./shutdown.ts";
import { VERSION } from "./version.ts";

/**
 * The settings describe the whole server. Everything else replaces one of its parts: tests and benchmarks pass other
 * engines, another store or shorter times. An engine or a store that is passed in belongs to the caller, who closes it.
 */
export interface ServerOptions extends EngineOverrides, AppOverrides {
  readonly config: Config;
  readonly log?: Log;
  readonly store?: Store;
}

export interface RunningServer {
  /** The address of the server on this machine. */
  readonly url: string;
  readonly port: number;
  /** The separate port of the metrics, if there is one. */
  readonly metricsPort: number | undefined;
  /** The port of the Wyoming protocol, if it is on. */
  readonly wyomingPort: number | undefined;
  readonly bootstrap: Bootstrap;
  readonly store: Store;
  readonly speech: Speech;
  readonly transcription: Transcription;
  readonly activeRequests: ActiveRequests;
  /** Refuses new requests, lets active ones finish for the drain time, and aborts the rest. Can be called again. */
  close(): Promise<void>;
}

/** Starts a server: engines, database, HTTP. The command line, the benchmarks and the tests all use this function. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { config, log = createLog(config.log) } = options;
  const opened: { close(): Promise<void> }[] = [];
  const closeAll = async (): Promise<void> => {
    for (const part of opened.toReversed()) await part.close();
  };
  try {
    const engines = await createEngines(config, log, options);
    opened.push(engines);
    const store = options.store ?? (await openDatabase(config, log));
    if (options.store === undefined) opened.push(store);
    const first = await createFirstAdmin(store, config, log);
    const app = await createApp(options, { engines, store, log });
    const metrics = await listenToMetrics(app.metrics, config);
    if (metrics !== undefined) opened.push(metrics);
    const wyoming = await app.startWyoming();
    if (wyoming !== undefined) opened.push(wyoming);
    const port = await listen(app, config);
    const url = `http://${urlHost(config.host)}:${port}`;
    await writeAddress(config.data, config.publicUrl ?? url);
    if (config.defaultModel) logEvent(log, "default-model.read", { defaultModel: config.defaultModel });
    engines.startDownloads();

    const close = async (): Promise<void> => {
      await shutDown({ ...app, drainSeconds: config.drainSeconds, log }).finally(closeAll);
    };
    let closing: Promise<void> | undefined;
    return {
      url,
      port,
      metricsPort: metrics?.port,
      wyomingPort: wyoming?.port,
      bootstrap: first,
      store,
      speech: engines.speech,
      transcription: engines.transcription,
      activeRequests: app.activeRequests,
      close() {
        closing ??= close();
        return closing;
      },
    };
  } catch (error) {
    await closeAll();
    throw error;
  }
}

function openDatabase(config: Config, log: Log): Promise<Store> {
  const damaged = config.databaseUrl === undefined ? keepDamagedLog(databasePath(config.data), Date.now()) : undefined;
  if (damaged !== undefined) logEvent(log, "database.log-damaged", { kept: damaged.kept, lost: damaged.lost });
  return openStore(config, (err) => logEvent(log, "database.connection-lost", { err }));
}

async function createFirstAdmin(store: Store, config: Config, log: Log): Promise<Bootstrap> {
  const { adminKey, adminPassword: password, adminEmail: email } = config;
  const result = await bootstrap(store, adminKey, { password, email });
  for (const reason of result.warnings) logEvent(log, "setting.ignored", { reason });
  return result;
}

async function createApp(
  options: ServerOptions,
  parts: { readonly engines: Engines; readonly store: Store; readonly log: Log },
): Promise<App> {
  const { engines, store, log } = parts;
  const { speech, transcription, cloning, events, machines, cluster } = engines;
  return buildApp({
    ...options,
    speech,
    transcription,
    cloning,
    events,
    machines,
    cluster,
    store,
    log,
    traceExport: options.traceExport ?? (await createExport(options.config, log)),
    dashboard: "dashboard" in options ? options.dashboard : dashboardFolder(),
  });
}

async function listen({ http }: App, { host, port }: Config): Promise<number> {
  try {
    await http.listen({ host, port });
  } catch (error) {
    await http.close();
    throw error;
  }
  const address = http.server.address();
  return typeof address === "object" && address !== null ? address.port : port;
}

async function listenToMetrics(metrics: Metrics, config: Config): Promise<MetricsListener | undefined> {
  const { metricsPort, metricsHost, metricsKey } = config;
  if (metricsPort === undefined) return undefined;
  try {
    return await listenForMetrics(metrics, { host: metricsHost, port: metricsPort, key: metricsKey });
  } catch (error) {
    // The error names the setting: otherwise it would be taken for the port of the service.
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Error(`PARLANCE_METRICS_PORT: cannot listen on port ${metricsPort} of ${metricsHost} (${code})`, {
      cause: error,
    });
  }
}

/** The packages of OpenTelemetry are loaded only where traces are exported. */
async function createExport({ otlp }: Config, log: Log): Promise<TraceExport | undefined> {
  if (otlp === undefined) return undefined;
  const { createTraceExport } = await import("../telemetry/trace-export.ts");
  return createTraceExport(otlp, { version: VERSION, log });
}

/** The files of the dashboard package. They may not be built or installed. */
function dashboardFolder(): string | undefined {
  try {
    const folder = join(dirname(createRequire(import.meta.url).resolve("@parlance/dashboard/package.json")), "dist");
    return existsSync(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}
