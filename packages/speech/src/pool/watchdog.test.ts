import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { engineSpec } from "../engines/catalogue.ts";
import type { EngineSpec } from "../engines/load.ts";
import { chunkOf } from "../testing/chunks.ts";
import { testModels } from "../testing/models.ts";
import { createPool, type Pool } from "./pool.ts";
import { createWatchdog, type Watched } from "./watchdog.ts";

const never = new AbortController().signal;
const job = {
  chunk: chunkOf("Hello there."),
  voice: { language: "en-us", embedding: "0" },
  options: { speed: 1, temperature: 0.7, seed: 1 },
  ahead: 0,
};

async function samplesOf(pool: Pool): Promise<number> {
  let count = 0;
  for await (const window of pool.synthesize(job, never)) count += window.samples.length;
  return count;
}

async function until(condition: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 2400; tries++) {
    if (condition()) return;
    await sleep(50);
  }
  assert.fail(`waited in vain until ${what}`);
}

describe("workers that are stopped without ending", { timeout: 600_000 }, () => {
  let spec: EngineSpec;
  let pool: Pool;
  const lost: string[] = [];
  before(async () => {
    const found = await engineSpec("piper", await testModels("piper-libritts"), 1);
    assert.ok(found);
    spec = found;
    const watch = { everyMs: 500, unansweredMs: 4_000 };
    pool = createPool(spec, { size: 2, watch, onWorkerLost: (reason) => lost.push(reason) });
    await until(() => pool.pids().length === 2, "both workers are up");
  });
  after(() => pool.close());

  test("stay as long as they answer", async () => {
    const pids = pool.pids();
    await sleep(5_000);
    assert.deepEqual(pool.pids(), pids);
    assert.deepEqual(lost, []);
  });

  test("are replaced though nobody has given them anything to do, and others speak meanwhile", async () => {
    const [victim, other] = pool.pids();
    assert.ok(victim && other);
    process.kill(victim, "SIGSTOP");
    // Long enough that it is in doubt, and not so long that it is replaced.
    await sleep(2_000);
    for (let i = 0; i < 3; i++) assert.ok((await samplesOf(pool)) > 0);
    await until(() => lost.length > 0, "the stopped worker is noticed");
    assert.match(lost[0] ?? "", /did not answer/);
    assert.ok(!pool.pids().includes(victim) && pool.pids().includes(other));
    await until(() => pool.pids().length === 2, "the pool is whole again");
    assert.throws(() => process.kill(victim, 0), "it is gone for good");
  });

  test("give what they were asked for back to others", async () => {
    const whole = await samplesOf(pool);
    const before = lost.length;
    for (const pid of pool.pids()) process.kill(pid, "SIGSTOP");
    assert.equal(await samplesOf(pool), whole);
    await until(() => pool.pids().length === 2, "the pool is whole again");
    assert.equal(lost.length, before + 2);
  });
});

describe("the watchdog", () => {
  const worker = (over: Partial<Watched> = {}) => {
    const told: string[] = [];
    const watched: Watched = {
      isBusy: false,
      lastHeard: performance.now(),
      pingedAt: undefined,
      ping: () => told.push("ping"),
      kill: (reason) => told.push(reason),
      ...over,
    };
    return { watched, told };
  };

  test("does not ask who is at work, and ends who is at work and gives nothing", async () => {
    const { watched, told } = worker({ isBusy: true });
    const watchdog = createWatchdog([watched], { everyMs: 20, silentMs: 200 });
    await until(() => told.length > 0, "it is ended");
    watchdog.close();
    assert.match(told[0] ?? "", /gave nothing/);
  });

  test("blames nobody for the time that this process itself was away", async () => {
    const { watched, told } = worker();
    const watchdog = createWatchdog([watched], { everyMs: 20, unansweredMs: 500 });
    await until(() => told.length > 0, "it is asked");
    // Nothing is read meanwhile, so the answer cannot be seen either.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
    // Timers that are due run before this one, which was made later.
    await sleep(1);
    watchdog.close();
    assert.deepEqual(told, ["ping"]);
  });
});
