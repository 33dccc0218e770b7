import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { EngineSpec } from "../engines/spec.ts";
import { samplesOf, testPool } from "../testing/pool-conformance.ts";
import { jobOf, long, short } from "../testing/pool-jobs.ts";
import { pooledEngine } from "../testing/pooled-engine.ts";
import { createPool } from "./pool.ts";

const never = new AbortController().signal;

let spec: EngineSpec;
before(async () => {
  spec = await pooledEngine();
});

testPool("a pool", async (size) => {
  const pool = createPool(spec, { size });
  return { pool, pids: pool.pids, close: pool.close };
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
