import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openSamples, readSamples } from "./index.ts";

let directory: string;
let path: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "parlance-samples-"));
  path = join(directory, "samples");
  const bytes = Buffer.alloc(2000 + 1, 7);
  for (let i = 0; i < 1000; i++) bytes.writeInt16LE(32 * (i - 500), 2 * i);
  await writeFile(path, bytes);
});
after(() => rm(directory, { recursive: true }));

test("reads any part, up to the end of the file", async () => {
  const file = await openSamples(path);
  assert.equal(file.samples, 1000);
  assert.deepEqual([...(await file.read(500, 503))], [0, 32 / 32768, 64 / 32768]);
  assert.equal((await file.read(0, 1000))[0], -16000 / 32768);
  assert.equal((await file.read(990, 2000)).length, 10);
  assert.equal((await file.read(-5, 5)).length, 5);
  assert.equal((await file.read(1000, 1001)).length, 0);
  assert.equal((await file.read(20, 10)).length, 0);
  await file.close();
});

test("reads one part in a single call", async () => {
  assert.deepEqual([...(await readSamples(path, 501, 502))], [32 / 32768]);
  await assert.rejects(readSamples(join(directory, "none"), 0, 1), { code: "ENOENT" });
});
