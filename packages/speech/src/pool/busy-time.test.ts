import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { busyTime, shareCores, startCpuClock } from "./busy-time.ts";

describe("the time that work takes of a worker", () => {
  it("is the CPU time where the worker has one core, on however many threads", () => {
    assert.equal(busyTime(100, 30, 1), 30, "it waited for a core");
    assert.equal(busyTime(50, 90, 1), 90, "a second thread used the core of an idle worker");
  });

  it("is the time that has passed where the worker has several cores, without what it waited for them", () => {
    assert.equal(busyTime(60, 100, 2), 60);
    assert.equal(busyTime(200, 100, 2), 100);
    assert.equal(busyTime(20, 100, 2), 50, "a third core was another worker's");
  });

  it("counts no CPU time from before its start", () => {
    const before = startCpuClock();
    while (before() < 5);
    const after = startCpuClock();
    assert.ok(after() < before());
  });
});

describe("the share of a worker", () => {
  it("is at least a core, and a second thread where there is a second core and the engine uses it", () => {
    assert.deepEqual(shareCores(1, 1, 2), { cores: 1, threads: 1 });
    assert.deepEqual(shareCores(2, 2, 2), { cores: 1, threads: 2 });
    assert.deepEqual(shareCores(2, 2, 1), { cores: 1, threads: 1 });
    assert.deepEqual(shareCores(4, 8, 2), { cores: 1, threads: 2 });
    assert.deepEqual(shareCores(16, 4, 2), { cores: 4, threads: 4 });
  });
});
