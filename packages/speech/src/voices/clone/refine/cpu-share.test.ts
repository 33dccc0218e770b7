import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createCpuShare } from "./cpu-share.ts";

const never = new AbortController().signal;

/** A clock that is set by hand. */
function testClock() {
  const clock = { cpu: 0, time: 0, slept: [] as number[] };
  return {
    clock,
    work(cpuMs: number, wallMs = cpuMs) {
      clock.cpu += cpuMs;
      clock.time += wallMs;
    },
    parts: {
      cpuMs: () => clock.cpu,
      now: () => clock.time,
      async sleep(ms: number) {
        clock.slept.push(ms);
        clock.time += ms;
      },
    },
  };
}

describe("a share of one core", { timeout: 10_000 }, () => {
  it("pauses until the work has used its share", async () => {
    const { clock, work, parts } = testClock();
    const pause = createCpuShare(0.25, parts);
    work(100);
    await pause(never);
    work(50);
    await pause(never);
    assert.deepEqual(clock.slept, [300, 150]);
  });

  it("counts the time that other processes took from it as a pause", async () => {
    const { clock, work, parts } = testClock();
    const pause = createCpuShare(0.5, parts);
    work(100, 180);
    await pause(never);
    work(100, 400);
    await pause(never);
    assert.deepEqual(clock.slept, [20]);
  });

  it("does not make up for a long wait with more than its share afterwards", async () => {
    const { clock, work, parts } = testClock();
    const pause = createCpuShare(0.5, parts);
    work(0, 60_000);
    await pause(never);
    work(100);
    await pause(never);
    assert.deepEqual(clock.slept, [100]);
  });

  it("is not less than a hundredth, and not outside 0 to 1", async () => {
    const { clock, work, parts } = testClock();
    const pause = createCpuShare(1e-9, parts);
    work(100);
    await pause(never);
    assert.deepEqual(clock.slept, [9_900]);
    for (const share of [0, -1, 1.1, Number.NaN]) assert.throws(() => createCpuShare(share, parts), RangeError);
  });

  it("ends a pause when the work is aborted", async () => {
    const { work, parts } = testClock();
    const controller = new AbortController();
    const pause = createCpuShare(0.5, { ...parts, sleep: endless });
    work(100);
    const paused = pause(controller.signal);
    controller.abort(new Error("enough"));
    await assert.rejects(paused, /enough/);
    await assert.rejects(pause(controller.signal), /enough/);
  });
});

function endless(_: number, signal: AbortSignal): Promise<void> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}
