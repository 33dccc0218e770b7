import assert from "node:assert/strict";
import { it } from "node:test";
import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { until } from "../../../../../tests/support/until.ts";
import { sileroVad } from "../../engines/silero/models.ts";
import { testModels } from "../../testing/models.ts";
import { createCloningPools } from "./cloning-pools.ts";
import { xvectorFiles } from "./xvector/files.ts";
import { xvector } from "./xvector/models.ts";

const FILLER = "PARLANCE_TEST_FILLER";
const speaker = { vector: new Float32Array(128).fill(128 ** -0.5), pitch: 160 };

it("starts its process ahead of the first recording, and once", { timeout: 60_000 }, async (context) => {
  const models = await testModels(sileroVad.id, xvector.id);
  const lost: string[] = [];
  const pools = createCloningPools((reason) => lost.push(reason));
  context.after(() => pools.close());
  assert.deepEqual(pools.pids(), []);
  const spec = { silero: models.path(sileroVad.id, "model.onnx"), xvector: xvectorFiles(models) };
  pools.prepare(spec);
  pools.prepare(spec);
  await until(() => pools.pids().length > 0, { what: "the process is ready", timeoutMs: 50_000 });
  await pools.analyze(spec, { speaker, engine: "kokoro" }, AbortSignal.timeout(30_000));
  assert.deepEqual([pools.pids().length, lost], [1, []]);
});

it("waits for the first recording to say that its process cannot be started", { timeout: 60_000 }, async (context) => {
  const models = await testModels(sileroVad.id, xvector.id);
  const pools = createCloningPools(undefined);
  const allow = (): void => {
    delete process.env[FILLER];
  };
  context.after(allow);
  context.after(() => pools.close());
  const spec = { silero: models.path(sileroVad.id, "model.onnx"), xvector: xvectorFiles(models) };
  const analyze = () => pools.analyze(spec, { speaker, engine: "kokoro" }, AbortSignal.timeout(30_000));
  // The system starts no process with a variable of this size.
  process.env[FILLER] = "x".repeat(2_000_000);
  pools.prepare(spec);
  // An unhandled rejection would end the test.
  await yieldToEventLoop();
  await assert.rejects(analyze(), /E2BIG/);
  allow();
  assert.ok(await analyze());
});
