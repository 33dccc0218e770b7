import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { TonePoolOptions } from "../../packages/speech/src/testing/tone-pool.ts";
import { sourceFlags, sourcePath } from "../support/child-sources.ts";

export interface MachinesStart {
  /** Of the NATS server. */
  readonly url: string;
  readonly names: readonly string[];
  readonly pool: Pick<TonePoolOptions, "workers" | "cost">;
}

export interface ProcessReport {
  readonly cpuSeconds: number;
  readonly rssMb: number;
}

export interface ClusterProcess {
  /** The address of an api node. */
  readonly url: string;
  report(): Promise<ProcessReport>;
  /** With SIGKILL. */
  kill(): Promise<void>;
}

export interface ClusterProcesses {
  startNode(settings: Readonly<Record<string, string>>): Promise<ClusterProcess>;
  startMachines(given: MachinesStart): Promise<ClusterProcess>;
  /** Kills all that run. */
  close(): Promise<void>;
}

/** Starts api nodes and worker machines as processes. Spare nodes have loaded their code already, which takes longest. */
export function createClusterProcesses(spares = 0): ClusterProcesses {
  const all = new Set<ChildProcess>();
  const killAll = (): void => {
    for (const child of all) child.kill("SIGKILL");
  };
  process.once("exit", killAll);
  const load = (script: string) => {
    const child = fork(sourcePath(script, import.meta.url), { execArgv: [...sourceFlags] });
    all.add(child);
    child.once("exit", () => all.delete(child));
    const loaded = messageOf(child);
    loaded.catch(() => {});
    return { child, loaded };
  };
  const loadNode = () => load("api-node-process.ts");
  const ready = Array.from({ length: spares }, loadNode);

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
    startNode(settings) {
      ready.push(loadNode());
      return start(ready.shift() ?? loadNode(), settings);
    },
    startMachines: (given) => start(load("machines-process.ts"), given),
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
