import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { samplesOf } from "../testing/pool-conformance.ts";
import { short } from "../testing/pool-jobs.ts";
import { pooledEngine } from "../testing/pooled-engine.ts";
import { untilWorkers } from "../testing/until-workers.ts";
import { createPool, type Pool } from "./pool.ts";
import { createWatchdog, type WatchedWorker } from "./watchdog.ts";

describe("workers that are stopped", { timeout: 600_000 }, () => {
  let pool: Pool;
  const lost: string[] = [];
  before(async () => {
    const spec = await pooledEngine();
    const watchdog = { intervalMs: 500, unansweredMs: 4_000 };
    pool = createPool(spec, { size: 2, watchdog, onWorkerLost: (reason) => lost.push(reason) });
    await untilWorkers(() => pool.pids().length === 2, "both workers are ready");
  });
  after(() => pool.close());

  test("are kept as long as they answer", async () => {
    const pids = pool.pids();
    await sleep(5_000);
    assert.deepEqual(pool.pids(), pids);
    assert.deepEqual(lost, []);
  });

  test("are replaced when they are idle, while others work", async () => {
    const [victim, other] = pool.pids();
    assert.ok(victim && other);
    process.kill(victim, "SIGSTOP");
    // Long enough to be suspect, and too short to be replaced.
    await sleep(2_000);
    for (let i = 0; i < 3; i++) assert.ok((await samplesOf(pool, short)) > 0);
    await untilWorkers(() => lost.length > 0, "the stopped worker is noticed");
    assert.match(lost[0] ?? "", /did not answer/);
    assert.ok(!pool.pids().includes(victim) && pool.pids().includes(other));
    await untilWorkers(() => pool.pids().length === 2, "the pool is complete again");
    assert.throws(() => process.kill(victim, 0), "the process has exited");
  });

  test("lose their jobs to other workers", async () => {
    const whole = await samplesOf(pool, short);
    const before = lost.length;
    for (const pid of pool.pids()) process.kill(pid, "SIGSTOP");
    assert.equal(await samplesOf(pool, short), whole);
    await untilWorkers(() => pool.pids().length === 2, "the pool is complete again");
    assert.equal(lost.length, before + 2);
  });
});

describe("the watchdog", () => {
  const worker = (over: Partial<WatchedWorker> = {}) => {
    const calls: string[] = [];
    const watched: WatchedWorker = {
      isBusy: false,
      lastMessageAt: performance.now(),
      pingedAt: undefined,
      ping: () => calls.push("ping"),
      kill: (reason) => calls.push(reason),
      ...over,
    };
    return { watched, calls };
  };

  test("does not ping a busy worker, and ends one that sends nothing", async () => {
    const { watched, calls } = worker({ isBusy: true });
    const watchdog = createWatchdog([watched], { intervalMs: 20, silentMs: 200 });
    await untilWorkers(() => calls.length > 0, "it is ended");
    watchdog.close();
    assert.match(calls[0] ?? "", /sent nothing/);
  });

  test("ignores the time in which this process itself was stopped", async () => {
    const { watched, calls } = worker();
    const watchdog = createWatchdog([watched], { intervalMs: 20, unansweredMs: 500 });
    await untilWorkers(() => calls.length > 0, "it is pinged");
    // No message is read meanwhile, so an answer would not be seen.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    // Timers that are due run before this one, which was created later.
    await sleep(1);
    watchdog.close();
    assert.deepEqual(calls, ["ping"]);
  });
});
