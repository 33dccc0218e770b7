import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { sourceFlags, sourcePath } from "../support/child-sources.ts";
import { until } from "../support/until.ts";

const script = sourcePath("serve-node.ts", import.meta.url);

export interface Node {
  /** Host and port. */
  readonly address: string;
  readonly url: string;
  /** Makes all streams wait after their first part, until they are released. */
  hold(): void;
  release(): void;
  /** Stops it as an operator does, and waits until it has ended. */
  stop(): Promise<void>;
}

/** A node with the tone engine, as a process, once it is ready for requests. */
export async function startNode(settings: Readonly<Record<string, string>>): Promise<Node> {
  const child = fork(script, {
    execArgv: [...sourceFlags],
    env: { ...process.env, PARLANCE_PORT: "0", ...settings },
  });
  const ended = once(child, "exit");
  const kill = (): boolean => child.kill("SIGKILL");
  process.once("exit", kill);
  const [url] = (await Promise.race([once(child, "message"), failWhenEnded(child)])) as [string];
  await until(async () => (await fetch(`${url}/health/ready`)).ok, { what: "the node is ready", everyMs: 50 });
  return {
    url,
    address: new URL(url).host,
    hold: () => void child.send("hold"),
    release: () => void child.send("release"),
    async stop() {
      child.kill("SIGTERM");
      await ended;
      process.off("exit", kill);
    },
  };
}

async function failWhenEnded(child: ChildProcess): Promise<never> {
  const [code] = await once(child, "exit");
  throw new Error(`the node ended with ${code} before it listened`);
}

/** How many requests a node has answered, by its own metrics. */
export async function requestsOf(node: Node, key: string): Promise<number> {
  const response = await fetch(`${node.url}/metrics`, { headers: { authorization: `Bearer ${key}` } });
  const lines = (await response.text()).split("\n").filter((line) => line.startsWith("parlance_requests_total{"));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}
