import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type EngineSpec, engineSpec } from "../engines/load.ts";
import { SpeechError } from "../errors.ts";
import { chunkOf } from "../testing/chunks.ts";
import { testModels } from "../testing/models.ts";
import { createPool, type Pool } from "./pool.ts";

const never = new AbortController().signal;
const long = chunkOf("The quick brown fox jumps over the lazy dog, and then it rests for a while. ".repeat(3));
const short = chunkOf("Hello there.");
const jobOf = (chunk: typeof long, ahead = 0) => ({
  chunk,
  voice: { language: "en-us", embedding: "0" },
  options: { speed: 1, temperature: 0.7, seed: 1 },
  ahead,
});

let spec: EngineSpec;
before(async () => {
  const found = await engineSpec("piper", await testModels("piper-libritts"), 1);
  assert.ok(found);
  spec = found;
});

async function samplesOf(pool: Pool, chunk: typeof long): Promise<number> {
  let count = 0;
  for await (const window of pool.synthesize(jobOf(chunk), never)) count += window.samples.length;
  return count;
}

/** Workers have to start and load a model, which takes long on a busy machine. */
async function until(condition: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 2400; tries++) {
    if (condition()) return;
    await sleep(50);
  }
  assert.fail(`timeout while waiting until ${what}`);
}

describe("a pool of two workers", () => {
  let pool: Pool;
  before(async () => {
    pool = createPool(spec, { size: 2 });
    await until(() => pool.pids().length === 2, "both workers are ready");
  });
  after(() => pool.close());

  test("reports the sample rate of the engine", async () => {
    assert.equal(await pool.ready, 22_050);
  });

  test("a job without output survives the loss of its worker", async () => {
    const whole = await samplesOf(pool, long);
    const speaking = samplesOf(pool, long);
    // All of them, since any may have the job. The first window of such a long chunk takes far longer than this.
    for (const pid of pool.pids()) process.kill(pid, "SIGKILL");
    assert.equal(await speaking, whole);
    await until(() => pool.pids().length === 2, "the pool is complete again");
  });

  test("the loss of a worker ends only its own streams with an error", async () => {
    // Two streams on two workers, both with output.
    const streams = [long, long].map((chunk) => pool.synthesize(jobOf(chunk), never)[Symbol.asyncIterator]());
    await Promise.all(streams.map((stream) => stream.next()));
    const [victim] = pool.pids();
    assert.ok(victim);
    process.kill(victim, "SIGKILL");
    const ends = await Promise.allSettled(
      streams.map(async (stream) => {
        while (!(await stream.next()).done);
      }),
    );
    const broken = ends.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
    assert.equal(broken.length, 1);
    assert.ok(broken[0] instanceof SpeechError && broken[0].code === "failed");
    await until(() => pool.pids().length === 2, "the pool is complete again");
    assert.ok((await samplesOf(pool, short)) > 0);
  });

  test("an aborted stream frees its worker", async () => {
    const controller = new AbortController();
    await assert.rejects(async () => {
      for await (const _ of pool.synthesize(jobOf(long), controller.signal)) controller.abort(new Error("aborted"));
    }, /aborted/);
    for await (const _ of pool.synthesize(jobOf(long), never)) break;
    assert.ok((await samplesOf(pool, short)) > 0);
  });
});

describe("a pool of one worker", () => {
  let pool: Pool;
  before(async () => {
    pool = createPool(spec, { size: 1 });
    await pool.ready;
  });
  after(() => pool.close());

  test("a long text delays a short one by no more than the current window", async () => {
    const order: string[] = [];
    let shortStarted = false;
    const speakShort = async () => {
      for await (const _ of pool.synthesize(jobOf(short), never)) order.push("short");
    };
    let speaking: Promise<void> | undefined;
    for await (const _ of pool.synthesize(jobOf(long), never)) {
      if (shortStarted) order.push("long");
      if (!shortStarted) {
        shortStarted = true;
        speaking = speakShort();
      }
    }
    await speaking;
    // Up to two windows of the long text may be in progress already; then the short one follows.
    const before = order.indexOf("short");
    assert.ok(before >= 0 && before <= 3, order.join(" "));
    assert.ok(order.lastIndexOf("long") > before, "the long text continues afterwards");
  });

  test("a stream that is not read delays no other", async () => {
    const slow = pool.synthesize(jobOf(long), never)[Symbol.asyncIterator]();
    await slow.next();
    assert.ok((await samplesOf(pool, long)) > 0);
    let windows = 1;
    for (let next = await slow.next(); !next.done; next = await slow.next()) windows++;
    assert.ok(windows > 4, "and is complete when it is read again");
  });
});

test("an engine that cannot be loaded reports the reason to its callers", async () => {
  const broken: EngineSpec = {
    engine: "piper",
    threads: 1,
    quality: "fast",
    files: { model: "/nowhere/m.onnx", tokens: "/nowhere/t" },
  };
  const pool = createPool(broken, { size: 1 });
  const speaking = samplesOf(pool, short);
  await assert.rejects(pool.ready, /cannot be loaded.*nowhere/);
  await assert.rejects(speaking, /cannot be loaded/);
  await pool.close();
});

test("closing ends the processes and the streams", async () => {
  const pool = createPool(spec, { size: 1 });
  await pool.ready;
  const [pid] = pool.pids();
  assert.ok(pid);
  const stream = pool.synthesize(jobOf(long), never)[Symbol.asyncIterator]();
  await stream.next();
  await pool.close();
  await assert.rejects(async () => {
    while (!(await stream.next()).done);
  }, /shutting down/);
  assert.throws(() => process.kill(pid, 0), "the process has exited");
});
