import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { pathToFileURL } from "node:url";
import { forkModule, siblingModule } from "./child-process.ts";

it("names a sibling module with the extension of the importing module", () => {
  assert.equal(siblingModule("./worker", "file:///src/pool.ts").href, "file:///src/worker.ts");
  assert.equal(siblingModule("./worker", "file:///dist/pool.js").href, "file:///dist/worker.js");
});

it("passes only a minimal environment to a process that is started so", async (context) => {
  const folder = await mkdtemp(join(tmpdir(), "parlance-fork-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "child.mjs");
  await writeFile(file, "process.send(Object.keys(process.env)); process.disconnect();");
  process.env.PARLANCE_TEST_SECRET = "secret";
  context.after(() => delete process.env.PARLANCE_TEST_SECRET);
  const child = forkModule(pathToFileURL(file), { stdio: ["ignore", 2, 2, "ipc"], minimalEnvironment: true });
  const [names] = (await once(child, "message")) as [string[]];
  assert.ok(names.includes("PATH"));
  assert.ok(!names.includes("PARLANCE_TEST_SECRET"));
  if (child.exitCode === null) await once(child, "exit");
});
