/** Hosts with addresses of their own on one Linux machine: network namespaces that a bridge connects. */
import { execFile, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { promisify } from "node:util";
import type { CuttableHost } from "./host.ts";

export interface Network {
  /** Adds a host whose server listens on this port. */
  addHost(name: string, port: number): Promise<CuttableHost>;
  /** The address of this process. */
  readonly address: string;
  /** Why packets are not delayed; undefined where they are. */
  readonly noDelay: string | undefined;
  close(): void;
}

/** Of all hosts; a range that is reserved for benchmarks, so no real network has it. */
const SUBNET = "198.18.77";
const OWN_NUMBER = 254;

const execute = promisify(execFile);

/** Undefined where this process may create network namespaces. */
export function namespacesMissing(): string | undefined {
  if (process.platform !== "linux") return "network namespaces exist on Linux only";
  const name = newName("t");
  const made = spawnSync("ip", ["netns", "add", name], { encoding: "utf8" });
  if (made.error) return "missing: apt-get install iproute2";
  if (made.status !== 0) return `no network namespace can be made: ${made.stderr.trim()}`;
  spawnSync("ip", ["netns", "del", name]);
  return undefined;
}

/** @param delayMs In each direction between two hosts, where the kernel can delay packets. */
export async function createNetwork(delayMs: number): Promise<Network> {
  const hub = newName("hub");
  const namespaces: string[] = [];
  const closeAll = (): void => {
    // Links end with the namespace of one of their ends.
    for (const name of namespaces.splice(0).toReversed()) spawnSync("ip", ["netns", "del", name]);
  };
  // Namespaces outlive their processes.
  process.once("exit", closeAll);
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => process.exit(1));
  const addNamespace = async (name: string): Promise<void> => {
    await ip("netns", "add", name);
    namespaces.push(name);
    await ip("-n", name, "link", "set", "lo", "up");
  };
  /** The end of a link in this namespace, or here, with an address. The other end is a port of the bridge. */
  const connect = async (link: string, number: number, namespace?: string): Promise<void> => {
    await ip("link", "add", link, "type", "veth", "peer", "name", `${link}p`, "netns", hub);
    if (namespace !== undefined) await ip("link", "set", link, "netns", namespace);
    const there = namespace === undefined ? [] : ["-n", namespace];
    await ip(...there, "address", "add", `${SUBNET}.${number}/24`, "dev", link);
    await ip(...there, "link", "set", link, "up");
    await ip("-n", hub, "link", "set", `${link}p`, "master", "bridge", "up");
  };
  let noDelay: string | undefined;
  const delay = async (link: string): Promise<void> => {
    try {
      const netem = ["qdisc", "add", "dev", `${link}p`, "root", "netem", "delay", `${delayMs}ms`];
      await execute("ip", ["netns", "exec", hub, "tc", ...netem]);
    } catch (error) {
      noDelay = error instanceof Error ? (error.message.split("\n")[1] ?? error.message) : String(error);
    }
  };
  try {
    await addNamespace(hub);
    await ip("-n", hub, "link", "add", "bridge", "type", "bridge");
    await ip("-n", hub, "link", "set", "bridge", "up");
    await connect(newName("own"), OWN_NUMBER);
  } catch (error) {
    closeAll();
    throw error;
  }
  let hosts = 0;
  return {
    address: `${SUBNET}.${OWN_NUMBER}`,
    async addHost(name, port) {
      const namespace = newName(name);
      const link = newName("l");
      const number = ++hosts;
      await addNamespace(namespace);
      await connect(link, number, namespace);
      if (delayMs > 0 && noDelay === undefined) await delay(link);
      const setPort = (state: "up" | "down") => ip("-n", hub, "link", "set", `${link}p`, state);
      return {
        address: `${SUBNET}.${number}`,
        port,
        command: ["ip", "netns", "exec", namespace],
        cut: () => setPort("down"),
        mend: () => setPort("up"),
      };
    },
    get noDelay() {
      return noDelay;
    },
    close: closeAll,
  };
}

async function ip(...args: readonly string[]): Promise<void> {
  await execute("ip", args);
}

/** Names of links have at most 15 characters. */
function newName(name: string): string {
  return `${name.slice(0, 7)}${randomBytes(3).toString("hex")}`;
}
