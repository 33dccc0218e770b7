import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../../../../../../tests/support/until.ts";
import { SpeechError } from "../../../errors.ts";
import { isProcessAlive } from "../../../lib/process-alive.ts";
import { endlessVoice, noFiles, refinementEntry, someVoice } from "../../../testing/refinement-jobs.ts";
import { createRefinementPool } from "./refinement-pool.ts";

const options = { timeout: 60_000 };
const never = new AbortController().signal;
const job = { voice: someVoice, recordings: [], share: 0.5 };
const untilReady = (pool: { pids(): readonly number[] }) =>
  until(() => pool.pids()[0], { what: "the process is ready", timeoutMs: 30_000 });

test("the process returns the voice, and ends when there is no other", options, async (context) => {
  const lost: string[] = [];
  const pool = createRefinementPool({ entry: refinementEntry, idleMs: 0, onWorkerLost: (reason) => lost.push(reason) });
  context.after(() => pool.close());
  const { refined, similarity } = await pool.refine(noFiles, job, never);
  assert.ok(refined?.embedding.every((value) => value === 0.5));
  assert.deepEqual(similarity, { before: 0.5, after: 0.6 });
  await until(() => pool.pids().length === 0, { what: "the process has ended" });
  assert.deepEqual(lost, []);
});

test("a voice that is given up leaves nothing behind that the next one waits for", options, async (context) => {
  const pool = createRefinementPool({ entry: refinementEntry });
  context.after(() => pool.close());
  const leaving = new AbortController();
  const first = pool.refine(noFiles, { ...job, voice: endlessVoice }, leaving.signal);
  const second = pool.refine(noFiles, job, never);
  const pid = await untilReady(pool);
  leaving.abort(new Error("gone"));
  await assert.rejects(first, /gone/);
  assert.equal(isProcessAlive(Number(pid)), false);
  assert.ok((await second).refined);
});

test("more voices than may wait are refused", options, async (context) => {
  const pool = createRefinementPool({ entry: refinementEntry });
  context.after(() => pool.close());
  const leaving = new AbortController();
  const taken = Array.from({ length: 65 }, () => pool.refine(noFiles, { ...job, voice: endlessVoice }, leaving.signal));
  const ended = Promise.allSettled(taken);
  await assert.rejects(
    pool.refine(noFiles, job, AbortSignal.timeout(10_000)),
    (error) => error instanceof SpeechError && error.code === "overloaded",
  );
  leaving.abort();
  await ended;
});

test("when the pool is closed, the voice at work and those that wait end", options, async () => {
  const pool = createRefinementPool({ entry: refinementEntry });
  const first = pool.refine(noFiles, { ...job, voice: endlessVoice }, never);
  const second = pool.refine(noFiles, job, never);
  const ended = Promise.allSettled([first, second]);
  await untilReady(pool);
  await pool.close();
  for (const result of await ended)
    assert.ok(result.status === "rejected" && result.reason instanceof SpeechError && result.reason.code === "closed");
  assert.deepEqual(pool.pids(), []);
});
