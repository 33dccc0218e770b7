import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { SpeechError } from "../errors.ts";
import type { Pool } from "../pool/pool.ts";
import { jobOf, long, short } from "./pool-jobs.ts";
import { untilWorkers } from "./until-workers.ts";

/** A pool under test. */
export interface OpenedPool {
  readonly pool: Pool;
  /** The worker processes that are ready and get work, wherever they run. */
  pids(): number[];
  close(): Promise<void>;
}

const never = new AbortController().signal;
export async function samplesOf(pool: Pool, chunk: typeof long): Promise<number> {
  let count = 0;
  for await (const window of pool.synthesize(jobOf(chunk), never)) count += window.samples.length;
  return count;
}

/** What every pool does, with a real engine: of this machine, or of a cluster. */
export function testPool(name: string, open: (size: number) => Promise<OpenedPool>): void {
  const openReady = async (size: number): Promise<OpenedPool> => {
    const opened = await open(size);
    await untilWorkers(() => opened.pids().length === size, "all workers are ready");
    return opened;
  };

  describe(`${name} with two workers`, () => {
    let opened: OpenedPool;
    let pool: Pool;
    before(async () => {
      opened = await openReady(2);
      pool = opened.pool;
    });
    after(() => opened.close());

    test("reports the sample rate of the engine", async () => {
      assert.equal(await pool.ready, 24_000);
    });

    test("a job without output survives the loss of its worker", async () => {
      const whole = await samplesOf(pool, long);
      const speaking = samplesOf(pool, long);
      // All of them, since any may have the job. The first window of such a long chunk takes far longer than this.
      for (const pid of opened.pids()) process.kill(pid, "SIGKILL");
      assert.equal(await speaking, whole);
      await untilWorkers(() => opened.pids().length === 2, "the pool is complete again");
    });

    test("the loss of a worker ends only its own streams with an error", async () => {
      // Two streams on two workers, both with output.
      const streams = [long, long].map((chunk) => pool.synthesize(jobOf(chunk), never)[Symbol.asyncIterator]());
      await Promise.all(streams.map((stream) => stream.next()));
      const [victim] = opened.pids();
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
      await untilWorkers(() => opened.pids().length === 2, "the pool is complete again");
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

  describe(`${name} with one worker`, () => {
    let opened: OpenedPool;
    let pool: Pool;
    before(async () => {
      opened = await openReady(1);
      pool = opened.pool;
    });
    after(() => opened.close());

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
}
