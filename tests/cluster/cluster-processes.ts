import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { TonePoolOptions } from "../../packages/speech/src/testing/tone-pool.ts";
import { compiledSources, sourceFlags, sourcePath } from "../support/child-sources.ts";
import { type Host, LOOPBACK } from "../support/host.ts";

export interface MachinesStart {
  /** Of the NATS server. */
  readonly url: string;
  readonly names: readonly string[];
  readonly pool: Pick<TonePoolOptions, "workers" | "cost" | "rate">;
}

export interface ProcessReport {
  readonly cpuSeconds: number;
  readonly rssMb: number;
  /** How late its event loop was since the last report: 99 of 100 times less. */
  readonly loopDelayMs: number;
}

export interface ClusterProcess {
  /** The address of an api node. */
  readonly url: string;
  report(): Promise<ProcessReport>;
  /** With SIGKILL. */
  kill(): Promise<void>;
}

export interface ClusterProcesses {
  startNode(settings: Readonly<Record<string, string>>, host?: Host): Promise<ClusterProcess>;
  startMachines(given: MachinesStart, host?: Host): Promise<ClusterProcess>;
  /** Kills all that run. */
  close(): Promise<void>;
}

export interface ClusterProcessesOptions {
  /** Runs what `compileTests` has written, so that a process starts as fast as an installed one. */
  readonly compiled?: boolean;
}

/** Starts api nodes and worker machines as processes. */
export function createClusterProcesses({ compiled = false }: ClusterProcessesOptions = {}): ClusterProcesses {
  const { flags, pathOf } = compiled ? compiledSources : { flags: sourceFlags, pathOf: sourcePath };
  const all = new Set<ChildProcess>();
  const killAll = (): void => {
    for (const child of all) child.kill("SIGKILL");
  };
  process.once("exit", killAll);
  const load = (script: string, { command }: Host) => {
    const [execPath = process.execPath, ...execArgv] = [...command, process.execPath, ...flags];
    const child = fork(pathOf(script, import.meta.url), { execPath, execArgv });
    all.add(child);
    child.once("exit", () => all.delete(child));
    const loaded = messageOf(child);
    loaded.catch(() => {});
    return { child, loaded };
  };

  async function start({ child, loaded }: ReturnType<typeof load>, given: object): Promise<ClusterProcess> {
    await loaded;
    const started = messageOf(child);
    child.send(given);
    const url = String(await started);
    return {
      url,
      async report() {
        const answer = messageOf(child);
        child.send("report");
        return (await answer) as ProcessReport;
      },
      kill: () => kill(child),
    };
  }

  return {
    startNode: (settings, host = LOOPBACK) =>
      start(load("api-node-process.ts", host), { ...settings, PARLANCE_HOST: host.address }),
    startMachines: (given, host = LOOPBACK) => start(load("machines-process.ts", host), given),
    async close() {
      await Promise.all([...all].map(kill));
      process.off("exit", killAll);
    },
  };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

function messageOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`the process ended with ${code}`));
    child.once("exit", onExit);
    child.once("message", (message) => {
      child.off("exit", onExit);
      resolve(message);
    });
  });
}
