/**
 * npm run bench -- upgrade --from DIR [--to DIR]: replaces a running cluster of one release by another, part by part, under load.
 * A DIR holds the tarballs of a release (`npm run pack -- DIR`), or an installation of them. Counts the requests that no node
 * could answer.
 */
import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startPostgres } from "../packages/server/src/testing/postgres.ts";
import { packAll } from "../scripts/pack.ts";
import { runProgram, startInstalledWorker, startService, TEST_KEY } from "../tests/packages/installed.ts";
import { startNatsServer } from "../tests/support/nats-server.ts";

const CLIENTS = 2;
const TEXT = "A cluster is upgraded part by part, and no client notices it.";
/** How long a client goes on before the next part is replaced. */
const BETWEEN_MS = 3_000;
/** A machine that is busy with other work is full at times: a client retries after `Retry-After`. */
const MAX_TRIES = 5;
const RETRY_MS = 1_000;

export async function benchUpgrade(args: readonly string[]) {
  const { values } = parseArgs({ args: [...args], options: { from: { type: "string" }, to: { type: "string" } } });
  if (values.from === undefined) throw new Error("--from DIR: the tarballs of the release to upgrade from");
  const folder = await mkdtemp(join(tmpdir(), "parlance-upgrade-"));
  const closing: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const before = await install(values.from, join(folder, "from"));
    const after = await install(values.to ?? packed(join(folder, "tarballs")), join(folder, "to"));
    const [nats, postgres] = await Promise.all([startNatsServer(), startPostgres()]);
    closing.push(nats.kill, postgres.stop);
    const settings = { PARLANCE_NATS_URL: nats.url, PARLANCE_DATABASE_URL: postgres.url, PARLANCE_ROLE: "api" };
    let started = 0;
    const startNode = (release: string) => startService(release, join(folder, `data-${started++}`), settings);
    const startWorker = (release: string) =>
      startInstalledWorker(release, join(folder, `data-${started++}`), { PARLANCE_NATS_URL: nats.url });

    const workers = [await startWorker(before)];
    const nodes = [await startNode(before), await startNode(before)];
    closing.push(() => Promise.all([...workers, ...nodes].map(({ stop }) => stop())));
    const counts = {
      requests: 0,
      "answered by the second node": 0,
      "came back, since all were full": 0,
      "cut off": 0,
      "answered by no node": 0,
    };
    const stop = new AbortController();
    const ask = async (tries = 1): Promise<void> => {
      const [first, second] = Math.random() < 0.5 ? nodes : nodes.toReversed();
      let isFull = false;
      for (const [index, node] of [first, second].entries()) {
        const outcome = await speak(node?.url ?? "");
        isFull ||= outcome === "full";
        if (outcome === "refused" || outcome === "full") continue;
        if (outcome === "cut off") counts["cut off"]++;
        else if (index > 0) counts["answered by the second node"]++;
        return;
      }
      if (isFull && tries < MAX_TRIES) {
        counts["came back, since all were full"]++;
        await sleep(RETRY_MS);
        return ask(tries + 1);
      }
      counts["answered by no node"]++;
    };
    const clients = Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (; !stop.signal.aborted; counts.requests++) await ask();
      }),
    );
    try {
      await sleep(BETWEEN_MS);
      for (const [index, old] of [...nodes].entries()) {
        nodes[index] = await startNode(after);
        await old.stop();
        console.log(`api node ${index + 1} is replaced`, { ...counts });
        await sleep(BETWEEN_MS);
      }
      for (const [index, old] of [...workers].entries()) {
        workers[index] = await startWorker(after);
        await sleep(BETWEEN_MS);
        await old.stop();
        console.log(`worker machine ${index + 1} is replaced`, { ...counts });
        await sleep(BETWEEN_MS);
      }
    } finally {
      stop.abort();
      await clients;
    }
    console.table(counts);
    const lost = counts["cut off"] + counts["answered by no node"];
    console.log(`${lost === 0 ? "✓" : "✗"} ${lost} of ${counts.requests} requests were not answered`);
    return counts;
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

async function speak(url: string): Promise<"spoken" | "cut off" | "full" | "refused"> {
  let isAnswered = false;
  try {
    const response = await fetch(`${url}/v1/tts`, {
      method: "POST",
      headers: { authorization: `Bearer ${TEST_KEY}`, model: "s2-pro", "content-type": "application/json" },
      body: JSON.stringify({ text: TEXT, format: "pcm" }),
      signal: AbortSignal.timeout(60_000),
    });
    isAnswered = response.status === 200;
    await response.arrayBuffer();
    if (response.headers.get("x-error-code") === "overloaded") return "full";
    return isAnswered ? "spoken" : "refused";
  } catch {
    return isAnswered ? "cut off" : "refused";
  }
}

function packed(folder: string): string {
  packAll(folder);
  return folder;
}

/** The folder of an installation. */
async function install(given: string, target: string): Promise<string> {
  if (existsSync(join(given, "node_modules", ".bin", "parlance"))) return resolve(given);
  const tarballs = readdirSync(given).filter((name) => name.endsWith(".tgz"));
  if (tarballs.length === 0) throw new Error(`there are no tarballs in ${given}`);
  await runProgram("mkdir", ["-p", target], ".");
  await writeFile(join(target, "package.json"), "{}");
  const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
  await runProgram("npm", ["install", ...flags, ...tarballs.map((name) => resolve(given, name))], target);
  return target;
}
