import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { natsMissing } from "../../../../../tests/support/nats-server.ts";
import { until } from "../../../../../tests/support/until.ts";
import { MachinesLostError, SpeechError } from "../../errors.ts";
import {
  all,
  counting,
  type Run,
  stuckAfter,
  type TestMachine,
  useCluster,
  work,
} from "../../testing/counting-machine.ts";

const never = new AbortController().signal;
const shutDown = () => new SpeechError("closed", "the service is shutting down");
const started = (machine: TestMachine) =>
  until(() => machine.signals.length > 0, { what: `${machine.name} has the job`, timeoutMs: 20_000 });

/** Has the job until it is told what to do with it. */
function holding() {
  let finish: ((how: "done" | "closed") => void) | undefined;
  const finished = new Promise<"done" | "closed">((resolve) => {
    finish = resolve;
  });
  const run: Run = async function* (machine, _, signal) {
    machine.signals.push(signal);
    const aborted = new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
    if ((await Promise.race([finished, aborted])) === "closed") throw shutDown();
    yield 1;
  };
  return { run, finish: (how: "done" | "closed") => finish?.(how) };
}

describe("a job without output whose machine goes", { skip: natsMissing, timeout: 60_000 }, () => {
  const { join, startMachine } = useCluster();

  for (const { departure, leave } of [
    {
      departure: "give it up while they drain",
      async leave(machine: TestMachine, giveUp: () => void) {
        const drained = machine.drain();
        giveUp();
        await drained;
      },
    },
    { departure: "leave with it", leave: (machine: TestMachine) => machine.close() },
  ])
    it(`is done by a fourth machine where three ${departure}`, async (t) => {
      const cluster = await join(t);
      let tries: number | undefined;
      const options = { whenBusy: "wait", noMachineMs: 50_000 } as const;
      const parts = all(cluster.run("work", 2, options, never, (report) => (tries = report.tries)));
      parts.catch(() => {});
      for (const name of ["a", "b", "c"]) {
        const { run, finish } = holding();
        const machine = startMachine(t, name, run);
        await started(machine);
        await leave(machine, () => finish("closed"));
      }
      startMachine(t, "d", counting);
      assert.deepEqual(await parts, [1, 2]);
      assert.equal(tries, 4);
    });

  it("does not go on for ever where a draining machine has to take it and gives it up", {
    timeout: 20_000,
  }, async (t) => {
    const machine = startMachine(t, "leaving", async function* (machine, _, signal) {
      machine.signals.push(signal);
      yield* [];
      throw shutDown();
    });
    const cluster = await join(t, "leaving");
    void machine.drain();
    await until(() => cluster.workers("work") === 0, { what: "the machine is left out", timeoutMs: 20_000 });
    await assert.rejects(all(work(cluster, 1, "force")), MachinesLostError);
    assert.equal(machine.signals.length, 3);
  });

  it("stays on a machine that is silent for a moment if it is long, and new jobs do not go there", async (t) => {
    const { run, finish } = holding();
    const machine = startMachine(t, "silent", run, {}, { reportEveryMs: 2_000 });
    const cluster = await join(t, "silent");
    const parts = all(cluster.run("work", 1, { whenBusy: "wait", keepUntilLost: true }, never));
    parts.catch(() => {});
    await started(machine);
    await until(() => cluster.workers("work") === 0, { what: "the machine is suspect", timeoutMs: 20_000 });
    const other = cluster.run("work", 1, { whenBusy: "refuse", noMachineMs: 0, keepUntilLost: true }, never);
    await assert.rejects(all(other), /no machine for work is connected/);
    await until(() => cluster.workers("work") > 0, { what: "it is heard again", timeoutMs: 20_000 });
    finish("done");
    assert.deepEqual(await parts, [1]);
    assert.equal(machine.signals.length, 1);
  });

  it("starts again elsewhere when its machine is lost, also if it is long", async (t) => {
    const dead = startMachine(t, "dead", stuckAfter(0), { workers: 8 });
    startMachine(t, "alive", counting);
    const cluster = await join(t, "dead", "alive");
    const parts = all(cluster.run("work", 3, { whenBusy: "wait", keepUntilLost: true }, never));
    await started(dead);
    dead.cut();
    assert.deepEqual(await parts, [1, 2, 3]);
  });
});
