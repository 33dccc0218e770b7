import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import { siblingModule } from "./child-process.ts";

/** In a process of its own: without a privilege, the priority of this one could not be raised again. */
test("the priority goes down for work in the background, and up again where the system allows it", async () => {
  const script = `
    import { getPriority, setPriority } from "node:os";
    import { createPriority } from ${JSON.stringify(siblingModule("./priority", import.meta.url).href)};
    const start = getPriority();
    const priority = createPriority(start + 5);
    const seen = [];
    priority.lower();
    seen.push(getPriority() - start);
    priority.raise();
    seen.push(getPriority() - start);
    let mayRaise = true;
    try {
      setPriority(start);
    } catch {
      mayRaise = false;
    }
    console.log(JSON.stringify({ seen, mayRaise }));`;
  const child = spawn(
    process.execPath,
    [...process.execArgv.filter((flag) => !/^--(inspect|test|watch)/.test(flag)), "--input-type=module", "-e", script],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let output = "";
  for await (const piece of child.stdout) output += piece;
  const { seen, mayRaise } = JSON.parse(output) as { readonly seen: readonly number[]; readonly mayRaise: boolean };
  assert.deepEqual(seen, [5, mayRaise ? 0 : 5]);
});
