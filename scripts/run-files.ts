/**
 * Runs test files with node's test runner, in the order of the arguments: `node --test` sorts them by name.
 * Arguments: how many at a time, the deadline of a file in milliseconds, the file for the report, the test files.
 */
import { createWriteStream } from "node:fs";
import { resolve } from "node:path";
import { run } from "node:test";
import { spec, tap } from "node:test/reporters";

const [concurrency, timeout, report = "", ...files] = process.argv.slice(2);
const events = run({
  files: files.map((file) => resolve(file)),
  concurrency: Number(concurrency),
  timeout: Number(timeout),
});
events.on("test:fail", () => {
  process.exitCode = 1;
});
events.compose(new spec()).pipe(process.stdout);
events.compose(tap).pipe(createWriteStream(report));
