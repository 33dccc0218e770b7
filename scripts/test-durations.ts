import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compiledFolder } from "./compiled-path.ts";

export interface FileDuration {
  readonly file: string;
  readonly seconds: number;
  /** With the processes that it started and that have ended. */
  readonly cpuSeconds: number;
}

/** What each test file took the last time, on this machine. */
const path = join(compiledFolder, "durations.json");

/** In the order in which the files end soonest together: one that takes minutes must not start last. */
export function longestFirst(files: readonly string[]): string[] {
  const known = read();
  // Tests that cross packages start servers and load models.
  const expected = (file: string): number => known[file] ?? (file.startsWith("tests/") ? 60 : 10);
  return [...files].sort((a, b) => expected(b) - expected(a));
}

export function keepDurations(files: readonly FileDuration[]): void {
  const taken = Object.fromEntries(files.map(({ file, seconds }) => [file, seconds]));
  writeFileSync(path, JSON.stringify({ ...read(), ...taken }));
}

function read(): Readonly<Record<string, number>> {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}
