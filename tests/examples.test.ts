/** Every ```ts example in the documentation and in the JSDoc of the public packages compiles. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, it } from "node:test";
import { filesBelow } from "../scripts/files.ts";
import { type Example, examplesIn } from "./examples.ts";

const sources = [
  "README.md",
  ...filesBelow("docs", ".md"),
  ...filesBelow("packages", "README.md"),
  ...["client", "speech"].flatMap((name) => filesBelow(join("packages", name, "src"), ".ts")),
].filter((file) => !file.endsWith(".test.ts"));

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), "parlance-examples-"));
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** The compiler must report this one, and nothing else. */
const WRONG = '# Wrong\n\n```ts\nawait client.tts.convert({ texts: "Hello!" });\n```\n';

it("compile unchanged, and one that is wrong is reported", { timeout: 120_000 }, () => {
  const examples = sources.flatMap((file) => examplesIn(file, readFileSync(file, "utf8")));
  assert.ok(examples.filter(({ file }) => file.startsWith("packages/client/src/")).length > 30);
  assert.ok(examples.some(({ file }) => file === "README.md"));
  const errors = compile([...examples, ...examplesIn("wrong.md", WRONG)]).split(/\n(?=\S)/);
  assert.match(
    errors.find((error) => error.startsWith("wrong.md")) ?? "",
    /^wrong\.md__line-3\.mts.*'texts' does not exist/,
  );
  assert.deepEqual(
    errors.filter((error) => !error.startsWith("wrong.md")),
    [],
  );
});

/** The errors of the compiler. Each names the file and the line at which the example starts. */
function compile(examples: readonly Example[]): string {
  const files = examples.map(({ file, line, code }) => {
    const name = `${file.replaceAll("/", "_")}__line-${line}.mts`;
    writeFileSync(join(folder, name), code);
    return name;
  });
  // As for a program with its own node_modules, which sees the declarations of the packages.
  rmSync(join(folder, "node_modules"), { force: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const config = {
    extends: resolve("tsconfig.checks.json"),
    compilerOptions: {
      customConditions: [],
      typeRoots: [resolve("node_modules/@types")],
      noUnusedLocals: false,
    },
    include: [],
    files,
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  run(["-b"], resolve("."));
  return run(["-p", "."], folder);
}

function run(args: readonly string[], cwd: string): string {
  const { stdout, error } = spawnSync(resolve("node_modules/.bin/tsc"), args, {
    cwd,
    encoding: "utf8",
    timeout: 110_000,
  });
  if (error) throw error;
  return stdout.trim();
}
