/**
 * Runs test files with node's test runner, in the order of the arguments: `node --test` sorts them by name.
 * Arguments: how many at a time, the deadline of a file in milliseconds, the file for the report, the file for the paths
 * of test files that fail, the test files.
 */
import { appendFileSync, createWriteStream } from "node:fs";
import { resolve } from "node:path";
import { run } from "node:test";
import { spec, tap } from "node:test/reporters";

const [concurrency, timeout, report = "", failures = "", ...files] = process.argv.slice(2);
const events = run({
  files: files.map((file) => resolve(file)),
  concurrency: Number(concurrency),
  timeout: Number(timeout),
});
events.on("test:fail", ({ file = "" }) => {
  process.exitCode = 1;
  appendFileSync(failures, `${file}\n`);
});
events.compose(new spec()).pipe(process.stdout);
events.compose(tap).pipe(createWriteStream(report));
