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

it("compile unchanged", { timeout: 120_000 }, () => {
  const examples = sources.flatMap((file) => examplesIn(file, readFileSync(file, "utf8")));
  assert.ok(examples.filter(({ file }) => file.startsWith("packages/client/src/")).length > 30);
  assert.ok(examples.some(({ file }) => file === "README.md"));
  assert.deepEqual(compile(examples), "");
});

it("are reported when they do not compile", { timeout: 120_000 }, () => {
  const [example] = examplesIn("wrong.md", '# Wrong\n\n```ts\nawait client.tts.convert({ texts: "Hello!" });\n```\n');
  assert.ok(example);
  assert.match(compile([example]), /^wrong\.md__line-3\.mts.*'texts' does not exist/);
});

/** The errors of the compiler. Each names the file and the line at which the example starts. */
function compile(examples: readonly Example[]): string {
  const files = examples.map(({ file, line, code }) => {
    const name = `${file.replaceAll("/", "_")}__line-${line}.mts`;
    writeFileSync(join(folder, name), code);
    return name;
  });
  // As for a program with its own node_modules; the packages are read from their sources.
  rmSync(join(folder, "node_modules"), { force: true });
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const declarations = filesBelow("packages", ".d.ts").map((file) => resolve(file));
  const config = {
    extends: resolve("tsconfig.checks.json"),
    compilerOptions: {
      typeRoots: [resolve("node_modules/@types")],
      noUnusedLocals: false,
    },
    include: [],
    files: [...files, ...declarations],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = resolve("node_modules/.bin/tsc");
  const { stdout, error } = spawnSync(tsc, ["-p", "."], { cwd: folder, encoding: "utf8", timeout: 110_000 });
  if (error) throw error;
  return stdout.trim();
}
