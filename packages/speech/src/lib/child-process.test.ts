import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { type ChildOptions, forkModule, siblingModule } from "./child-process.ts";

it("names a sibling module with the extension of the importing module", () => {
  assert.equal(siblingModule("./worker", "file:///src/pool.ts").href, "file:///src/worker.ts");
  assert.equal(siblingModule("./worker", "file:///dist/pool.js").href, "file:///dist/worker.js");
});

/** The environment that a process finds, and its flags, with a variable of this process that it may or may not get. */
async function environmentOf(context: TestContext, options: Omit<ChildOptions, "stdio">): Promise<NodeJS.ProcessEnv> {
  const folder = await mkdtemp(join(tmpdir(), "parlance-fork-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "child.mjs");
  await writeFile(file, "process.send({ ...process.env, flags: process.execArgv.join(' ') }); process.disconnect();");
  process.env.PARLANCE_TEST_SECRET = "secret";
  context.after(() => delete process.env.PARLANCE_TEST_SECRET);
  const child = forkModule(pathToFileURL(file), { stdio: ["ignore", 2, 2, "ipc"], ...options });
  const [environment] = (await once(child, "message")) as [NodeJS.ProcessEnv];
  if (child.exitCode === null) await once(child, "exit");
  return environment;
}

it("passes only a minimal environment to a process that is started so", async (context) => {
  const environment = await environmentOf(context, { minimalEnvironment: true });
  assert.equal(environment.PATH, process.env.PATH);
  assert.equal(environment.PARLANCE_TEST_SECRET, undefined);
});

it("passes variables to a process, unless they are set already", async (context) => {
  const own = { PARLANCE_TEST_OWN: "own", PARLANCE_TEST_SECRET: "another" };
  const environment = await environmentOf(context, { environment: own });
  assert.equal(environment.PARLANCE_TEST_OWN, "own");
  assert.equal(environment.PARLANCE_TEST_SECRET, "secret");
});

it("passes flags to a process, in addition to those of this one", async (context) => {
  const environment = await environmentOf(context, { flags: ["--max-semi-space-size=2"] });
  assert.deepEqual(environment.flags?.split(" ").slice(-1), ["--max-semi-space-size=2"]);
});
