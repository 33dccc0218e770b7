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

/** One process: a test file, or several that share it. */
export interface Program {
  readonly path: string;
  readonly files: readonly string[];
}

/** The paths in the order in which the programs end soonest together: one that takes minutes must not start last. */
export function longestFirst(programs: readonly Program[]): string[] {
  const known = read();
  const expected = (file: string): number => known[file] ?? firstGuess(file);
  const sum = ({ files }: Program): number => files.reduce((seconds, file) => seconds + expected(file), 0);
  return [...programs].sort((a, b) => sum(b) - sum(a)).map(({ path }) => path);
}

function firstGuess(file: string): number {
  if (/^tests\/(dashboard|packages|voices)\b/.test(file)) return 200;
  // Tests that cross packages start servers and load models.
  return file.startsWith("tests/") ? 60 : 10;
}

export function keepDurations(files: readonly FileDuration[]): void {
  const taken = Object.fromEntries(files.map(({ file, seconds }) => [file, seconds]));
  writeFileSync(path, JSON.stringify({ ...read(), ...taken }));
}

function read(): Readonly<Record<string, number>> {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}
