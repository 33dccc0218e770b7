import assert from "node:assert/strict";
import { test } from "node:test";
import { siblingModule } from "../lib/child-process.ts";
import { untilWorkers } from "../testing/until-workers.ts";
import { createWorkerPool } from "./worker-pool.ts";

test("a job does not wait for one that was cancelled while another worker is idle", { timeout: 60_000 }, async () => {
  const entry = siblingModule("../testing/blocking-worker", import.meta.url);
  const pool = createWorkerPool<null, null, "started", null>({ entry, name: "the test", spec: null, size: 2 });
  try {
    await untilWorkers(() => pool.pids().length === 2, "both workers are ready");
    /** Which worker got a job that is cancelled as soon as it has started. */
    const startedOn = async (): Promise<number | undefined> => {
      let pid: number | undefined;
      for await (const _ of pool.run(null, new AbortController().signal, (report) => {
        pid = report.pid;
      }))
        break;
      return pid;
    };
    const first = await startedOn();
    assert.ok(first);
    assert.notEqual(await startedOn(), first);
  } finally {
    await pool.close();
  }
});
