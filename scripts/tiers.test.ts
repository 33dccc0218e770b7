import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { loadedBy } from "./imports.ts";
import { namesOf, sharedRuns, type Tier, testFiles, tierOf, tiers } from "./tiers.ts";

const folder = mkdtempSync(join(tmpdir(), "parlance-tiers-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, source: string): string {
  const file = join(folder, name);
  writeFileSync(file, source);
  return file;
}

describe("the tier of a test file", () => {
  it("follows from what it imports, directly or through other files", () => {
    write("helper.ts", 'export { Pool } from "pg";\n');
    const expected = {
      unit: 'import assert from "node:assert/strict";\n',
      server: 'import { Pool } from "./helper.ts";\n',
      engines: 'import { testModels } from "../speech/src/testing/models.ts";\nimport "pg";\n',
      e2e: 'import { chromium } from "playwright-core";\n',
    };
    for (const [tier, source] of Object.entries(expected)) {
      assert.equal(tierOf(write(`${tier}.test.ts`, source)).name, tier);
    }
  });

  it("does not follow from imported types", () => {
    const types = 'import type { Pool } from "pg";\nimport { type Client, type PoolConfig } from "pg";\n';
    assert.equal(tierOf(write("types.test.ts", types)).name, "unit");
    assert.equal(tierOf(write("mixed.test.ts", 'import { type Client, Pool } from "pg";\n')).name, "server");
  });
});

describe("the test files of this repository", () => {
  const files = testFiles();

  it("fill every tier", () => {
    for (const { name } of tiers)
      assert.ok(
        files.some((file) => tierOf(file).name === name),
        name,
      );
  });

  it("run together where they need real engines", () => {
    const names = (selected: readonly Tier[]) => sharedRuns(selected).map(namesOf);
    assert.deepEqual(names(tiers), ["unit", "server", "engines, e2e"]);
    assert.deepEqual(names(tiers.filter(({ name }) => name !== "engines")), ["unit", "server", "e2e"]);
  });

  it("in the unit tier load no model, database or browser", () => {
    const heavy =
      /^(onnxruntime-.*|pg|libsql|@libsql\/.*|playwright-core)$|\/testing\/(models|postgres|databases)\.ts$/;
    const allowed = ["packages/speech/src/engines/onnx/graph.test.ts"];
    for (const file of files.filter((file) => tierOf(file).name === "unit" && !allowed.includes(file))) {
      assert.deepEqual(
        [...loadedBy(file)].filter((name) => heavy.test(name)),
        [],
        file,
      );
    }
  });

  it("have a process of their own where their tier says so", () => {
    for (const tier of tiers) {
      for (const pattern of tier.separate)
        assert.ok(
          files.some((file) => pattern.test(file) && tierOf(file).name === tier.name),
          `${pattern} matches no file of the tier ${tier.name}`,
        );
    }
  });
});
