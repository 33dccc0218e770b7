import assert from "node:assert/strict";
import { type EngineSpec, engineSpec } from "../engines/spec.ts";
import { testModels } from "./models.ts";

/** The engine of the tests of pools: Kokoro takes a quarter of the CPU time of Piper. */
export async function pooledEngine(): Promise<EngineSpec> {
  const spec = await engineSpec("kokoro", await testModels("kokoro-q8"), 1);
  assert.ok(spec);
  return spec;
}
