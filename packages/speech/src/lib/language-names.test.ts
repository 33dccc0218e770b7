import assert from "node:assert/strict";
import { it } from "node:test";
import { isSpaced, languageNames } from "./language-names.ts";

it("names languages by two letters, and knows which are written without spaces", () => {
  for (const [code, name] of Object.entries(languageNames)) {
    assert.match(code, /^[a-z]{2}$/);
    assert.match(name, /^[A-Z]/);
  }
  assert.equal(isSpaced("en"), true);
  assert.equal(isSpaced("ja"), false);
});
