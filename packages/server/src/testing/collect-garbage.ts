import type { TestContext } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** Collects garbage again and again until the test ends. */
export function keepCollectingGarbage(context: TestContext): void {
  setFlagsFromString("--expose-gc");
  // Only contexts that are created after that have the function.
  const timer = setInterval(runInNewContext("gc"), 20);
  context.after(() => clearInterval(timer));
}
