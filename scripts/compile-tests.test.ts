import assert from "node:assert/strict";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { compileTests } from "./compile-tests.ts";

test("compiles sources to where their imports find them, again when they change, and links the rest", async (t) => {
  const root = mkdtempSync(join(tmpdir(), "parlance-compile-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  for (const [file, content] of Object.entries({
    "packages/one/package.json": '{ "exports": { ".": { "source": "./src/index.ts", "default": "./dist/index.js" } } }',
    "packages/one/src/index.ts":
      'export { value } from "./value.ts";\nexport const text: string = \'from "./value.ts"\';',
    "packages/one/src/value.ts": "export const value: number = 1;",
    "packages/one/assets/weights.bin": "weights",
    "scripts/run.ts": 'export const load = () => import("../packages/one/src/value.ts");',
    "tests/types.d.ts": "declare const nothing: string;",
    "docs/page.md": "# Page",
    "node_modules/kysely/package.json":
      '{ "name": "kysely", "version": "1.0.0", "type": "module", "exports": "./a.js" }',
    "node_modules/kysely/a.js": 'export { part } from "./b.js";',
    "node_modules/kysely/b.js": 'export const part = "of a library";',
  })) {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), content);
  }
  await compileTests(root);
  const target = join(root, "dist", "tests");
  const read = (file: string) => readFileSync(join(target, file), "utf8");
  assert.match(read("packages/one/src/index.js"), / from "\.\/value\.js";/);
  assert.match(read("packages/one/src/index.js"), /'from "\.\/value\.ts"'/);
  assert.match(read("scripts/run.js"), /import\("\.\.\/packages\/one\/src\/value\.js"\)/);
  assert.match(
    read("node_modules/@parlance/one/package.json"),
    /"source": "\.\/src\/index\.js", "default": "\.\/src\/index\.js"/,
  );
  assert.equal(read("packages/one/assets/weights.bin"), "weights");
  assert.ok(lstatSync(join(target, "docs")).isSymbolicLink());
  assert.ok(!existsSync(join(target, "tests/types.js")));
  assert.match(read("node_modules/kysely/index.js"), /"of a library"/);
  assert.doesNotMatch(read("node_modules/kysely/index.js"), /b\.js";/);

  const { mtimeMs } = lstatSync(join(target, "scripts/run.js"));
  writeFileSync(join(root, "packages/one/src/value.ts"), "export const value: number = 2;");
  utimesSync(join(root, "packages/one/src/value.ts"), new Date(), new Date(Date.now() + 1000));
  await compileTests(root);
  assert.match(read("packages/one/src/value.js"), /value = 2/);
  assert.equal(lstatSync(join(target, "scripts/run.js")).mtimeMs, mtimeMs);
});
