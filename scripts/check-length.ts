/** Checks that no source file is longer than 400 lines, and that the median is at most 100. */
import { readFileSync } from "node:fs";
import { filesBelow } from "./files.ts";

const maxLines = 400;
const maxMedian = 100;

const lengths = ["packages", "tests", "bench", "scripts"]
  .flatMap((folder) => [...filesBelow(folder, ".ts"), ...filesBelow(folder, ".tsx")])
  .map((file) => ({ file, lines: readFileSync(file, "utf8").split("\n").length - 1 }))
  .sort((a, b) => a.lines - b.lines);
const median = lengths[Math.floor(lengths.length / 2)]?.lines ?? 0;
const problems = lengths.filter(({ lines }) => lines > maxLines).map(({ file, lines }) => `${file} has ${lines} lines`);
if (median > maxMedian) problems.push(`the median file has ${median} lines, at most ${maxMedian} are allowed`);

for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`${lengths.length} source files, median ${median} lines, longest ${lengths.at(-1)?.lines}`);
