import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Cloning, Speech, Transcription } from "@parlance/speech";
import { type AppParts, buildApp } from "./app.ts";
import type { Config } from "./config.ts";
import { type Bootstrap, bootstrap } from "./services/bootstrap.ts";
import { openStore } from "./stores/open-store.ts";
import type { Log } from "./telemetry/log.ts";

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
}

export interface RunningServer {
  /** Where it can be reached from this machine. */
  readonly url: string;
  readonly port: number;
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
}: ServerParts): Promise<RunningServer> {
  const store = await openStore(config, (err) => log.warn({ err }, "a connection to the database was lost"));
  try {
    const booted = await bootstrap(store, config.adminKey, {
      password: config.adminPassword,
      email: config.adminEmail,
    });
    for (const warning of booted.warnings) log.warn(warning);
    const { http, running } = buildApp({
      config,
      speech,
      transcription,
      cloning,
      store,
      log,
      node,
      dashboard: dashboardFolder(),
    });
    await http.listen({ host: config.host, port: config.port });
    const address = http.server.address();
    const port = typeof address === "object" && address !== null ? address.port : config.port;

    const stop = async (): Promise<void> => {
      running.drain();
      log.info({ streams: running.size }, "stopping");
      const deadline = setTimeout(() => {
        log.warn({ streams: running.size }, "the drain time is over: running streams are cut");
        running.abortAll(new Error("the server is shutting down"));
        http.server.closeAllConnections();
      }, config.drainSeconds * 1000);
      try {
        await http.close();
      } finally {
        clearTimeout(deadline);
        await store.close();
      }
    };
    let stopping: Promise<void> | undefined;
    return {
      url: `http://${urlHost(config.host)}:${port}`,
      port,
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
