import assert from "node:assert/strict";
import { it } from "node:test";
import { explainFileError, ModelStoreError } from "./errors.ts";

it("explains a full disk in one line that says what to do", () => {
  const explained = explainFileError(Object.assign(new Error("ENOSPC: write"), { code: "ENOSPC" }), "/models");
  assert.ok(explained instanceof ModelStoreError);
  assert.equal(explained.code, "disk-full");
  assert.match(explained.message, /^The disk is full.*\/models.*PARLANCE_MODELS[^\n]*$/);
});

it("leaves other errors as they are", () => {
  const error = new Error("something else");
  assert.equal(explainFileError(error, "/models"), error);
});
