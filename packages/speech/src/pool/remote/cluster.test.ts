import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { natsMissing } from "../../../../../tests/support/nats-server.ts";
import { until } from "../../../../../tests/support/until.ts";
import { AudioError, MachinesLostError, SpeechError } from "../../errors.ts";
import { all, counting, stuckAfter, useCluster, work } from "../../testing/counting-machine.ts";
import type { JobReport } from "../job-report.ts";
import { WIRE_VERSION } from "./frames.ts";
import { createNatsTransport } from "./nats-transport.ts";
import type { WhenBusy } from "./remote-task.ts";

const never = new AbortController().signal;

describe("a cluster over NATS", { skip: natsMissing }, () => {
  const { nats, join, startMachine } = useCluster();

  it("runs a job and reports where", async (t) => {
    startMachine(t, "a", counting);
    const cluster = await join(t, "a");
    let report: JobReport | undefined;
    assert.deepEqual(
      await all(
        work(cluster, 5, "refuse", (given) => {
          report = given;
        }),
      ),
      [1, 2, 3, 4, 5],
    );
    assert.deepEqual(
      [report?.machine, report?.pid, report?.busyMs, report?.tries, report?.outcome],
      ["a", 42, 1, 1, "done"],
    );
  });

  it("makes few parts ahead of a slow reader, and ends the job when it stops reading", async (t) => {
    const machine = startMachine(t, "a", counting);
    const cluster = await join(t, "a");
    const parts = work(cluster, 1000);
    await parts.next();
    await until(() => machine.made >= 3, { what: "the machine works ahead" });
    for (let count = 0; count < 20; count++) await all(work(cluster, 1));
    // Two are with the reader, one more is made, and each of the twenty others made one.
    assert.ok(machine.made <= 5 + 20, `${machine.made} parts`);
    await parts.return(undefined);
    await until(() => machine.signals[0]?.aborted === true, { what: "the job is cancelled" });
  });

  it("sends parts that are larger than a message, and reads its input in parts", async (t) => {
    startMachine(t, "a", async function* (_, _job, _signal, _onEnd, input) {
      let size = 0;
      for await (const bytes of input) size += bytes.length;
      yield new Float32Array(size);
    });
    const cluster = await join(t, "a");
    const input = async function* () {
      for (let count = 0; count < 40; count++) yield new Uint8Array(50_000).fill(count);
    };
    const [part] = await all(cluster.run("work", null, { whenBusy: "wait", input }, never));
    assert.ok(part instanceof Float32Array);
    assert.equal(part.length, 2_000_000);
  });

  it("asks the next machine when one is busy", async (t) => {
    startMachine(t, "busy", counting, { workers: 8, maxRunning: 0 });
    startMachine(t, "free", counting);
    const cluster = await join(t, "busy", "free");
    let machine: string | undefined;
    await all(
      work(cluster, 1, "refuse", (report) => {
        machine = report.machine;
      }),
    );
    assert.equal(machine, "free");
  });

  it("refuses, forces or waits when all machines are busy", async (t) => {
    const limits = { maxRunning: 0 };
    startMachine(t, "a", counting, limits);
    const cluster = await join(t, "a");
    await assert.rejects(all(work(cluster, 1)), (error) => {
      return error instanceof SpeechError && error.code === "overloaded" && error.retryAfterSeconds === 1;
    });
    assert.deepEqual(await all(work(cluster, 1, "force")), [1]);
    const waiting = all(work(cluster, 2, "wait"));
    startMachine(t, "b", counting);
    assert.deepEqual(await waiting, [1, 2]);
  });

  it("refuses more jobs than a machine may have", async (t) => {
    startMachine(t, "a", stuckAfter(1), { workers: 8, maxStarting: 8, maxRunning: 8 }, { maxJobs: 2 });
    const cluster = await join(t, "a");
    const taken = [work(cluster, 1), work(cluster, 1)];
    for (const parts of taken) await parts.next();
    await assert.rejects(all(work(cluster, 1)), /no machine has room/);
    await taken[0]?.return(undefined);
    assert.deepEqual(await work(cluster, 1, "wait").next(), { done: false, value: 1 });
  });

  it("works with machines of the next version, and knows none of a later one", async (t) => {
    startMachine(t, "later", counting, { workers: 8 }, { version: WIRE_VERSION + 2 });
    startMachine(t, "next", counting, {}, { version: WIRE_VERSION + 1 });
    const cluster = await join(t, "next");
    assert.deepEqual(await all(work(cluster, 3)), [1, 2, 3]);
    assert.deepEqual([cluster.machines(), cluster.workers("work")], [["next"], 2]);
  });

  it("gives no machine a job that it is too old for, and says so where there is no other", async (t) => {
    startMachine(t, "older", counting, { workers: 8 }, { version: WIRE_VERSION - 1 });
    const cluster = await join(t, "older");
    const run = (version: number, whenBusy: WhenBusy) =>
      all(cluster.run("work", 2, { whenBusy, version, noMachineMs: 0 }, never));
    assert.deepEqual(await run(WIRE_VERSION - 1, "refuse"), [1, 2]);
    for (const whenBusy of ["refuse", "force", "wait"] as const)
      await assert.rejects(run(WIRE_VERSION, whenBusy), (error) => {
        assert.ok(error instanceof SpeechError && error.code === "not_ready" && error.retryAfterSeconds === 5);
        return /are of an older version, which cannot do this: upgrade them/.test(error.message);
      });
    startMachine(t, "current", counting);
    await until(() => cluster.machines().includes("current"), { what: "the other machine has joined" });
    for (const whenBusy of ["refuse", "force", "wait"] as const)
      assert.deepEqual(await run(WIRE_VERSION, whenBusy), [1, 2]);
  });

  it("starts a job without output again when its machine is cut off", async (t) => {
    const dead = startMachine(t, "dead", stuckAfter(0), { workers: 8 });
    startMachine(t, "alive", counting);
    const cluster = await join(t, "dead", "alive");
    const parts = all(work(cluster, 3));
    await until(() => dead.signals.length === 1, { what: "the job has started" });
    dead.cut();
    assert.deepEqual(await parts, [1, 2, 3]);
  });

  it("refuses a job for now when three machines in a row are cut off with it", async (t) => {
    const dead = ["a", "b", "c"].map((name) => startMachine(t, name, stuckAfter(0), { workers: 8 }));
    const cluster = await join(t, "a", "b", "c");
    const parts = all(work(cluster, 3));
    parts.catch(() => {});
    const left = new Set(dead);
    while (left.size > 0) {
      const having = await until(() => [...left].find(({ signals }) => signals.length > 0), { what: "it has started" });
      having.cut();
      left.delete(having);
    }
    await assert.rejects(parts, (error) => {
      return error instanceof MachinesLostError && error.code === "overloaded" && (error.retryAfterSeconds ?? 0) > 0;
    });
  });

  it("ends a job with output in an error when its machine is cut off", async (t) => {
    const dead = startMachine(t, "dead", stuckAfter(1));
    const cluster = await join(t, "dead");
    const parts = work(cluster, 3);
    assert.deepEqual(await parts.next(), { done: false, value: 1 });
    dead.cut();
    await assert.rejects(parts.next(), /the machine dead is gone/);
  });

  it("gives no new work to a machine that drains, and lets its jobs end", async (t) => {
    const machine = startMachine(t, "leaving", counting, { workers: 8 });
    const cluster = await join(t, "leaving");
    const running = work(cluster, 3);
    await running.next();
    startMachine(t, "staying", counting);
    await until(() => cluster.machines().includes("staying"), { what: "the other machine has joined" });
    const drained = machine.drain();
    await until(() => cluster.workers("work") === 2, { what: "the machine is left out" });
    let name: string | undefined;
    await all(
      work(cluster, 1, "refuse", (report) => {
        name = report.machine;
      }),
    );
    assert.equal(name, "staying");
    assert.deepEqual(await all(running), [2, 3]);
    await drained;
    await machine.close();
    await until(() => !cluster.machines().includes("leaving"), { what: "the machine has left" });
  });

  it("lets a machine that drains finish a stream that no other machine can take", async (t) => {
    const machine = startMachine(t, "leaving", counting);
    const cluster = await join(t, "leaving");
    assert.deepEqual(await all(work(cluster, 2)), [1, 2]);
    const drained = machine.drain();
    await until(() => cluster.workers("work") === 0, { what: "the machine is left out" });
    assert.deepEqual(await all(work(cluster, 2, "force")), [1, 2]);
    await assert.rejects(all(work(cluster, 1, "refuse")), /no machine for work is connected/);
    await drained;
  });

  it("passes errors on with their type", async (t) => {
    startMachine(t, "a", async function* () {
      yield* [];
      throw new AudioError("too_long", "the audio is too long", 12);
    });
    const cluster = await join(t, "a");
    await assert.rejects(all(work(cluster, 1)), (error) => {
      return error instanceof AudioError && error.code === "too_long" && error.seconds === 12;
    });
  });

  it("ends a job when its reader aborts", async (t) => {
    const machine = startMachine(t, "a", stuckAfter(1));
    const cluster = await join(t, "a");
    const abort = new AbortController();
    const parts = cluster.run("work", 1, { whenBusy: "refuse" }, abort.signal);
    await parts.next();
    abort.abort(new Error("left"));
    await assert.rejects(parts.next(), /left/);
    await until(() => machine.signals[0]?.aborted === true, { what: "the job is cancelled" });
  });

  it("refuses jobs while NATS is unreachable, and recovers by itself", async (t) => {
    startMachine(t, "a", counting);
    const healthy = startMachine(t, "b", stuckAfter(1), { workers: 8 });
    const cluster = await join(t, "a", "b");
    const parts = work(cluster, 3);
    await parts.next();
    await nats().kill();
    await assert.rejects(all(work(cluster, 1)), (error) => {
      return error instanceof SpeechError && error.code === "overloaded" && (error.retryAfterSeconds ?? 0) > 0;
    });
    await assert.rejects(parts.next(), /is gone/);
    await nats().start();
    await until(() => cluster.workers("work") > 0, { what: "the machines are back" });
    await healthy.close();
    assert.deepEqual(await all(work(cluster, 2, "wait")), [1, 2]);
  });

  it("ignores what is no message of the cluster", async (t) => {
    startMachine(t, "a", counting);
    const cluster = await join(t, "a");
    const stranger = createNatsTransport(nats().url);
    t.after(() => stranger.close());
    await until(() => stranger.connected, { what: "the stranger is connected" });
    const subjects = ["parlance.capacity", "parlance.demand"];
    for (const bytes of [new Uint8Array(0), Uint8Array.of(1, 2, 3), new Uint8Array(64).fill(255)]) {
      for (const subject of subjects) stranger.publish(subject, bytes);
    }
    assert.deepEqual(await all(work(cluster, 2)), [1, 2]);
  });
});
