import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { it } from "node:test";
import { sourceFlags, sourcePath } from "../../../../tests/support/child-sources.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { createNodeLocks } from "./node-locks.ts";

it("distinguishes a running process, a killed one and an unknown one", async (context) => {
  const folder = await temporaryFolder(context);
  const locks = createNodeLocks(folder);
  assert.equal(locks.state("nobody"), "unknown");
  const script = sourcePath("../testing/hold-node-lock.ts", import.meta.url);
  const holder = fork(script, [folder, "other"], { execArgv: [...sourceFlags] });
  await once(holder, "message");
  for (let look = 0; look < 3; look += 1) assert.equal(locks.state("other"), "held");
  const exited = once(holder, "exit");
  holder.kill("SIGKILL");
  await exited;
  assert.equal(locks.state("other"), "free");
  locks.forget("other");
  assert.equal(locks.state("other"), "unknown");
});

it("holds its lock until it is released, and leaves no file", async (context) => {
  const folder = await temporaryFolder(context);
  const locks = createNodeLocks(folder);
  const release = locks.hold("mine");
  assert.equal(locks.state("mine"), "held");
  assert.equal(createNodeLocks(folder).state("mine"), "held");
  release();
  assert.deepEqual(await readdir(`${folder}/nodes`), []);
});
