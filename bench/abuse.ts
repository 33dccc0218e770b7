/**
 * npm run bench -- abuse [--match PART] [--rounds N]: hostile clients against a real server, one attack after the
 * other, while another client requests /health/live. Prints the longest delay of that client, the memory of the server,
 * and the responses to the attacker.
 */
import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Attack } from "./abuse/attack.ts";
import { bodyAttacks, headerAttacks, pictureAttack, queryAttacks, unfinishedBodies } from "./abuse/http-attacks.ts";
import { fragments, frameFloods, idleSockets, unfinishedFrames } from "./abuse/live-attacks.ts";
import { startBenchServer } from "./server-handle.ts";

/** An attack that takes longer is stopped, and counts as a stall of that length. */
const ATTACK_MS = 30_000;
const MAX_DELAY_MS = 100;

export interface AttackRow {
  readonly attack: string;
  readonly delayMs: number;
  readonly peakMb: number;
  readonly seconds: number;
  readonly largestResponseKb: number;
  readonly statuses: string;
}

export function attacks(rounds: number): readonly Attack[] {
  return [
    ...bodyAttacks(rounds),
    ...queryAttacks(rounds),
    ...headerAttacks(rounds),
    pictureAttack(24, 6300),
    unfinishedBodies(40, 8 * 2 ** 20),
    ...frameFloods(10_000),
    unfinishedFrames(40, 15 * 2 ** 20),
    idleSockets(200),
    fragments(100_000),
  ];
}

export async function benchAbuse(options: readonly string[]): Promise<readonly AttackRow[]> {
  const { values } = parseArgs({
    args: [...options],
    options: { match: { type: "string", default: "" }, rounds: { type: "string", default: "2" } },
  });
  const chosen = attacks(Number(values.rounds)).filter(({ name }) => name.includes(values.match));
  const server = await startBenchServer({ speech: "tone", concurrency: 64 });
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
      await observer.query("reset");
      const started = performance.now();
      const { statuses, largestResponseBytes } = await attack.run(server, AbortSignal.timeout(ATTACK_MS));
      const seconds = (performance.now() - started) / 1000;
      await sleep(100);
      clearInterval(watch);
      const { slowestMs } = await observer.query("report");
      const row = {
        attack: attack.name,
        delayMs: Math.round(slowestMs),
        peakMb: Math.round(peak - before),
        seconds: Math.round(seconds * 10) / 10,
        largestResponseKb: Math.ceil(largestResponseBytes / 1024),
        statuses: Object.entries(statuses)
          .map(([status, count]) => `${count} × ${status}`)
          .join(", "),
      };
      rows.push(row);
      console.log(
        `${row.delayMs > MAX_DELAY_MS ? "✗" : " "} ${row.attack.slice(0, 70).padEnd(70)} ${String(row.delayMs).padStart(6)} ms ` +
          `${String(row.peakMb).padStart(6)} MB ${String(row.seconds).padStart(5)} s ${String(row.largestResponseKb).padStart(6)} kB  ${row.statuses}`,
      );
    }
  } finally {
    observer.close();
    await server.close();
  }
  const slow = rows.filter(({ delayMs }) => delayMs > MAX_DELAY_MS);
  console.log(`\n${rows.length} attacks; ${slow.length} delayed another client by more than ${MAX_DELAY_MS} ms`);
  return rows;
}

async function startObserver(url: string) {
  const child = fork(new URL("./abuse/observer.ts", import.meta.url), [url]);
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
