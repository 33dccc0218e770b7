import assert from "node:assert/strict";
import { it } from "node:test";
import { DEFAULT_PLANS } from "@parlance/protocol";
import { availableMemory } from "../../lib/available-memory.ts";
import { createLimits } from "./limits.ts";
import { createMemoryGuard } from "./memory-guard.ts";
import { createLocalQuotaCounter } from "./quota-counter.ts";

const MB = 2 ** 20;
const meminfo = "MemTotal:       24000000 kB\nMemAvailable:   20000000 kB\n";
const readFrom = (files: Readonly<Record<string, string>>) => (path: string) => files[path];

it("the memory of a control group of version 2 is its limit without what is used, files aside", () => {
  const files = {
    "/proc/meminfo": meminfo,
    "/proc/self/cgroup": "0::/parlance\n",
    "/sys/fs/cgroup/parlance/memory.max": `${512 * MB}\n`,
    "/sys/fs/cgroup/parlance/memory.current": `${400 * MB}\n`,
    "/sys/fs/cgroup/parlance/memory.stat": `anon 5\ninactive_file ${100 * MB}\n`,
  };
  assert.equal(availableMemory(readFrom(files)), 212 * MB);
  const unlimited = { ...files, "/sys/fs/cgroup/parlance/memory.max": "max\n" };
  assert.equal(availableMemory(readFrom(unlimited)), 20_000_000 * 1024);
});

it("the memory of a control group of version 1 is found in a container too", () => {
  const files = {
    "/proc/meminfo": meminfo,
    "/proc/self/cgroup": "4:cpu,memory:/docker/abc\n0::/\n",
    "/sys/fs/cgroup/memory/memory.limit_in_bytes": `${300 * MB}\n`,
    "/sys/fs/cgroup/memory/memory.usage_in_bytes": `${310 * MB}\n`,
    "/sys/fs/cgroup/memory/memory.stat": `inactive_file 0\ntotal_inactive_file ${30 * MB}\n`,
  };
  assert.equal(availableMemory(readFrom(files)), 20 * MB);
});

it("without a control group the memory is that of the machine, or unknown", () => {
  assert.equal(availableMemory(readFrom({ "/proc/meminfo": meminfo })), 20_000_000 * 1024);
  assert.equal(availableMemory(readFrom({})), undefined);
  assert.ok((availableMemory() ?? 1) > 0, "of this machine");
});

it("memory is short while little is free", () => {
  let free: number | undefined = 100;
  let now = 0;
  const guard = createMemoryGuard({ minFreeBytes: 64, available: () => free, now: () => now });
  assert.equal(guard(), true);
  free = 10;
  assert.equal(guard(), true, "one reading is used for a while");
  now += 200;
  assert.equal(guard(), false);
  [free, now] = [undefined, now + 200];
  assert.equal(guard(), true, "where the system does not say");
  const off = createMemoryGuard({ minFreeBytes: 0, available: () => 0 });
  assert.equal(off(), true);
});

it("requests are refused with 503 while memory is short", async (context) => {
  let hasMemory = false;
  const options = { plans: DEFAULT_PLANS, counter: createLocalQuotaCounter(), hasMemory: () => hasMemory };
  const limits = createLimits(options);
  context.after(() => limits.close());
  const account = { userId: "ada", plan: "free" } as const;
  await assert.rejects(limits.acquire(account), { code: "overloaded", status: 503, retryAfterSeconds: 5 });
  hasMemory = true;
  assert.equal((await limits.acquire(account)).current, 1);
});
