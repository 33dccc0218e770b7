import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { generatedPages } from "./pages.ts";

const root = join(import.meta.dirname, "../..");

for (const { path, text } of generatedPages()) {
  it(`${path} is up to date`, () => {
    assert.equal(readFileSync(join(root, path), "utf8"), text, "run npm run docs");
  });
}
