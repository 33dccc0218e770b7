/**
 * npm run bench -- abuse [--match PART] [--rounds N] [--speech tone|piper|kokoro|all] [--memory MB] [--sockets N]: hostile clients against a real server, one attack after the
 * other, while another client requests /health/live. Prints the longest delay of that client, the CPU time of the longest
 * turn of the server's event loop, the memory of the server, and the responses to the attacker. With --memory the server has
 * no more than that, by a control group; the last line says how often the kernel had to end a process. With --sockets an
 * account may have that many live sockets, and they are opened.
 */

import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { sourcePath } from "../tests/support/child-sources.ts";
import { type Attack, attackDeadline } from "./abuse/attack.ts";
import {
  bodyAttacks,
  headerAttacks,
  idleConnections,
  pictureAttack,
  queryAttacks,
  unfinishedBodies,
} from "./abuse/http-attacks.ts";
import { fragments, frameFloods, idleSockets, unfinishedFrames } from "./abuse/live-attacks.ts";
import { createMemoryLimit } from "./memory-limit.ts";
import { startBenchServer } from "./server-handle.ts";

/** An attack that takes longer is stopped, and counts as a stall of that length. */
const ATTACK_MS = 30_000;
const MAX_DELAY_MS = 100;

export interface AttackRow {
  readonly attack: string;
  readonly delayMs: number;
  /** CPU time of the server's longest turn of the event loop: what remains of the delay on a machine without other load. */
  readonly blockedMs: number;
  readonly peakMb: number;
  readonly seconds: number;
  readonly largestResponseKb: number;
  readonly statuses: string;
}

export function attacks(rounds: number, sockets: number): readonly Attack[] {
  return [
    ...bodyAttacks(rounds),
    ...queryAttacks(rounds),
    ...headerAttacks(rounds),
    pictureAttack(24, 6300),
    unfinishedBodies(40, 8 * 2 ** 20),
    idleConnections(4000),
    ...frameFloods(10_000),
    unfinishedFrames(40, 15 * 2 ** 20),
    idleSockets(sockets),
    fragments(100_000),
  ];
}

export async function benchAbuse(options: readonly string[]): Promise<readonly AttackRow[]> {
  const { values } = parseArgs({
    args: [...options],
    options: {
      match: { type: "string", default: "" },
      rounds: { type: "string", default: "2" },
      speech: { type: "string", default: "tone" },
      memory: { type: "string" },
      sockets: { type: "string" },
    },
  });
  const chosen = attacks(Number(values.rounds), Number(values.sockets ?? 200)).filter(({ name }) =>
    name.includes(values.match),
  );
  const sockets =
    values.sockets === undefined ? {} : { sockets: Number(values.sockets), concurrency: Number(values.sockets) };
  const limit = values.memory === undefined ? undefined : createMemoryLimit(Number(values.memory));
  const start = () =>
    startBenchServer({ speech: speechOf(values.speech), concurrency: 64, cloning: "instant", ...sockets });
  const server = await (limit?.startWithin(start) ?? start());
  const observer = await startObserver(server.url);
  const rows: AttackRow[] = [];
  try {
    await sleep(500);
    for (const attack of chosen) {
      const before = memoryMb(server.pid);
      let peak = before;
      const watch = setInterval(() => {
        peak = Math.max(peak, memoryMb(server.pid));
      }, 20);
      await server.reset();
      await observer.query("reset");
      const started = performance.now();
      const { statuses, largestResponseBytes } = await attack.run(server, attackDeadline(ATTACK_MS));
      const seconds = (performance.now() - started) / 1000;
      await sleep(100);
      clearInterval(watch);
      const { slowestMs } = await observer.query("report");
      const { blockedMs } = await server.report();
      const row = {
        attack: attack.name,
        delayMs: Math.round(slowestMs),
        blockedMs: Math.round(blockedMs),
        peakMb: Math.round(peak - before),
        seconds: Math.round(seconds * 10) / 10,
        largestResponseKb: Math.ceil(largestResponseBytes / 1024),
        statuses: Object.entries(statuses)
          .map(([status, count]) => `${count} × ${status}`)
          .join(", "),
      };
      rows.push(row);
      console.log(
        `${isSlow(row) ? "✗" : " "} ${row.attack.slice(0, 70).padEnd(70)} ${String(row.delayMs).padStart(6)} ms ${String(row.blockedMs).padStart(5)} ms ` +
          `${String(row.peakMb).padStart(6)} MB ${String(row.seconds).padStart(5)} s ${String(row.largestResponseKb).padStart(6)} kB  ${row.statuses}`,
      );
    }
  } finally {
    observer.close();
    if (limit)
      console.log(`\n${limit.peakMb()} of ${values.memory} MB used, ${limit.kills()} processes ended by the kernel`);
    await server.close();
    limit?.close();
  }
  const slow = rows.filter(isSlow);
  console.log(`\n${rows.length} attacks; ${slow.length} delayed another client by more than ${MAX_DELAY_MS} ms`);
  return rows;
}

/** A tone reads no text: the texts are read by a real engine. */
function speechOf(name: string): "tone" | "piper" | "kokoro" | "all" {
  if (name === "tone" || name === "piper" || name === "kokoro" || name === "all") return name;
  throw new Error(`--speech ${name}: it must be tone, piper, kokoro or all`);
}

/** On a busy machine the delay says little. */
function isSlow({ delayMs, blockedMs }: AttackRow): boolean {
  return Math.min(delayMs, blockedMs) > MAX_DELAY_MS;
}

async function startObserver(url: string) {
  const child = fork(sourcePath("./abuse/observer.ts", import.meta.url), [url]);
  const nextMessage = () =>
    new Promise<{ slowestMs: number; failures: number }>((resolve) => {
      child.once("message", (message) => resolve(message as { slowestMs: number; failures: number }));
    });
  await nextMessage();
  return {
    query(command: "reset" | "report") {
      child.send(command);
      return nextMessage();
    },
    close: () => child.disconnect(),
  };
}

/** Memory of the process and its descendants. */
function memoryMb(pid: number): number {
  try {
    const own = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
    return own + (children === "" ? 0 : children.split(" ").reduce((sum, child) => sum + memoryMb(Number(child)), 0));
  } catch {
    return 0;
  }
}
