import assert from "node:assert/strict";
import { it } from "node:test";
import { until } from "../../../../../tests/support/until.ts";
import { sileroVad } from "../../engines/silero/models.ts";
import { testModels } from "../../testing/models.ts";
import { createCloningPools } from "./cloning-pools.ts";
import { xvectorFiles } from "./xvector/files.ts";
import { xvector } from "./xvector/models.ts";

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
  const speaker = { vector: new Float32Array(128).fill(128 ** -0.5), pitch: 160 };
  await pools.analyze(spec, { speaker, engine: "kokoro" }, AbortSignal.timeout(30_000));
  assert.deepEqual([pools.pids().length, lost], [1, []]);
});
