import {
  type Config,
  closeOnSignal,
  createLog,
  enginesOf,
  type Log,
  type RunningServer,
  startServer,
  startWorkerMachine,
} from "@parlance/server";
import { createModelStore, type EngineName, type ModelStore, ModelStoreError } from "@parlance/speech";
import { interruptible } from "../interrupt.ts";
import { modelOf, pullWithProgress } from "../models.ts";
import type { Terminal } from "../terminal.ts";
import { readableLine } from "./readable-log.ts";
import { startMessage } from "./start-message.ts";

/** Fetches the voices, starts the server, and runs until a signal stops it. */
export async function runService(config: Config, environment: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  const models = createModelStore({ directory: config.models, environment });
  // An api node needs no models: its machines have them.
  if (config.role === "all") await fetchVoices(enginesOf(config), models, environment, terminal);
  const server = await start(config, models, terminal);
  // Installed before the address is printed: from then on a signal shuts the server down cleanly.
  const stopped = closeOnSignal(server);
  terminal.notify(startMessage(server, config.publicUrl, terminal.style));
  await stopped;
}

/** Fetches the voices, joins the cluster, and works until a signal stops it. */
export async function runWorker(config: Config, environment: NodeJS.ProcessEnv, terminal: Terminal): Promise<void> {
  const models = createModelStore({ directory: config.models, environment });
  await fetchVoices(enginesOf(config), models, environment, terminal);
  const machine = await startWorkerMachine({ config, models, fetchModels: true, ...logOf(config, terminal) });
  const stopped = closeOnSignal(machine);
  terminal.notify(
    `${terminal.style.green("✓")} This machine works for the cluster: ${machine.worker.offers().join(", ")}`,
  );
  await stopped;
}

/** The model of the preferred engine is fetched before the start. If that fails, any installed engine will do. */
async function fetchVoices(
  engines: readonly EngineName[],
  models: ModelStore,
  environment: NodeJS.ProcessEnv,
  terminal: Terminal,
): Promise<void> {
  const [preferred] = engines;
  if (!preferred) return;
  try {
    await interruptible((signal) => pullWithProgress(models, [modelOf(preferred)], environment, signal));
  } catch (error) {
    const installed = await Promise.all(engines.map((engine) => models.has(modelOf(engine))));
    if (!(error instanceof ModelStoreError) || !installed.includes(true)) throw error;
    terminal.notify(terminal.style.yellow(`The default voices are not installed: ${error.message}`));
  }
}

async function start(config: Config, models: ModelStore, terminal: Terminal): Promise<RunningServer> {
  try {
    return await startServer({ config, models, fetchModels: true, ...logOf(config, terminal) });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    const target = `port ${config.port} of ${config.host}`;
    if (code === "EADDRINUSE")
      throw new Error(`${target} is in use; choose another: parlance serve --port ${config.port + 1}`, {
        cause: error,
      });
    if (code === "EACCES") throw new Error(`no permission to listen on ${target}`, { cause: error });
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND")
      throw new Error(`${config.host} is not an address of this machine`, { cause: error });
    throw error;
  }
}

/** People read the log in a terminal, programs read it elsewhere. */
function logOf(config: Config, terminal: Terminal): { readonly log?: Log } {
  const readable = { write: (line: string) => terminal.print(readableLine(line, terminal.resultStyle)) };
  return process.stdout.isTTY ? { log: createLog(config.log, readable) } : {};
}
