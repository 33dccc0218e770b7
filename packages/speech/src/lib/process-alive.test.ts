import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { it } from "node:test";
import { isProcessAlive } from "./process-alive.ts";

it("distinguishes a running process from one that has exited", async () => {
  assert.equal(isProcessAlive(process.pid), true);
  const child = spawn(process.execPath, ["-e", ""], { stdio: "ignore" });
  await once(child, "exit");
  assert.equal(isProcessAlive(child.pid ?? 0), false);
});
