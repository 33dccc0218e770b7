import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { freePort } from "./free-port.ts";
import { type Host, LOOPBACK } from "./host.ts";
import { until } from "./until.ts";

/** Why tests with a NATS server are skipped; false where it is installed. */
export const natsMissing: string | false =
  spawnSync("nats-server", ["--version"]).status === 0 ? false : "missing: apt-get install nats-server";

export interface NatsServer {
  readonly url: string;
  readonly pid: number;
  /** Ends the process at once. */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
}

export interface NatsOptions {
  /** A file of settings, and the variables that it names. */
  readonly config?: { readonly path: string; readonly variables: Readonly<Record<string, string>> };
}

/** A real NATS server. */
export async function startNatsServer(
  { address, port: ownPort, command }: Host = LOOPBACK,
  { config }: NatsOptions = {},
): Promise<NatsServer> {
  const port = ownPort ?? (await freePort(address));
  let child: ChildProcess | undefined;
  const start = async (): Promise<void> => {
    const settings = config ? ["-c", config.path] : [];
    const [program = "", ...args] = [...command, "nats-server", "-a", address, "-p", String(port), ...settings];
    child = spawn(program, args, { stdio: "ignore", env: { ...process.env, ...config?.variables } });
    await until(() => accepts(address, port), { what: "the NATS server accepts connections", everyMs: 20 });
  };
  await start();
  return {
    url: `nats://${address}:${port}`,
    get pid() {
      return child?.pid ?? 0;
    },
    start,
    async kill() {
      if (!child || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    },
  };
}

function accepts(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
