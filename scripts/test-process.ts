/**
 * Loaded first in the process of every test file. It ends the process when a test runs past its deadline, and names the
 * test (Node 20 only has a deadline for a whole file); and it reports how long the file took.
 */
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { afterEach, beforeEach, type TestContext } from "node:test";

const { PARLANCE_TEST_SECONDS, PARLANCE_TEST_TIMES } = process.env;
const file = relative(process.cwd(), process.argv[1] ?? "");
const timers = new Map<string, NodeJS.Timeout>();

if (PARLANCE_TEST_SECONDS !== undefined) {
  const seconds = Number(PARLANCE_TEST_SECONDS);
  beforeEach((context) => {
    const name = nameOf(context);
    const timer = setTimeout(() => {
      process.stderr.write(`${file}: "${name}" did not end within ${seconds} seconds\n`);
      process.exit(1);
    }, seconds * 1000);
    timers.set(name, timer.unref());
  });
  afterEach((context) => {
    const name = nameOf(context);
    clearTimeout(timers.get(name));
    timers.delete(name);
  });
}

if (PARLANCE_TEST_TIMES !== undefined) {
  process.on("exit", () => appendFileSync(PARLANCE_TEST_TIMES, `${Math.round(performance.now())} ${file}\n`));
}

/** Hooks get the context of the test, or of the suite, that they run for. */
function nameOf(context: unknown): string {
  const { fullName, name } = context as TestContext & { readonly fullName?: string };
  return fullName ?? name;
}
