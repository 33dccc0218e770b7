/**
 * Loaded first in the process of every test file. It ends the process when a test runs past its deadline, and names the
 * test (Node 20 only has a deadline for a whole file); and it reports the time and the CPU time that the file took. Processes that a test
 * forks get the same flags: there it does nothing.
 */
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import type { TestContext } from "node:test";
import { sourceOf } from "./compiled-path.ts";
import { cpuMs } from "./cpu-time.ts";

const { PARLANCE_TEST_SECONDS, PARLANCE_TEST_TIMES } = process.env;
const file = sourceOf(relative(process.cwd(), process.argv[1] ?? ""));

if (/\.test\.m?[jt]s$/.test(file)) {
  if (PARLANCE_TEST_SECONDS !== undefined) await limitTests(Number(PARLANCE_TEST_SECONDS));
  if (PARLANCE_TEST_TIMES !== undefined) {
    process.on("exit", () =>
      appendFileSync(PARLANCE_TEST_TIMES, `${Math.round(performance.now())} ${cpuMs()} ${file}\n`),
    );
  }
}

async function limitTests(seconds: number): Promise<void> {
  const { afterEach, beforeEach } = await import("node:test");
  const timers = new Map<string, NodeJS.Timeout>();
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

/** Hooks get the context of the test, or of the suite, that they run for. */
function nameOf(context: unknown): string {
  const { fullName, name } = context as TestContext & { readonly fullName?: string };
  return fullName ?? name;
}
