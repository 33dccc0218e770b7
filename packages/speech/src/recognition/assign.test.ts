import assert from "node:assert/strict";
import { test } from "node:test";
import { createAssign } from "./assign.ts";

test("the preferred installed recognizer for the language is chosen", () => {
  const both = createAssign(["moonshine", "whisper"], undefined);
  assert.deepEqual(both("en"), { engine: "moonshine", language: "en" });
  assert.deepEqual(both("fr"), { engine: "whisper", language: "fr" });
  assert.equal(both(undefined), undefined, "the language has to be detected");
  assert.deepEqual(createAssign(["whisper"], undefined)("en"), { engine: "whisper", language: "en" });
});

test("a requested recognizer is used", () => {
  const requested = createAssign(["moonshine", "whisper"], "whisper");
  assert.deepEqual(requested("en"), { engine: "whisper", language: "en" });
  assert.equal(requested(undefined), undefined);
});

test("nothing is detected where only one language can be recognized", () => {
  assert.deepEqual(createAssign(["moonshine"], undefined)(undefined), { engine: "moonshine", language: "en" });
  assert.deepEqual(createAssign(["moonshine", "whisper"], "moonshine")(undefined), {
    engine: "moonshine",
    language: "en",
  });
});

test("what cannot be recognized is refused", () => {
  assert.throws(() => createAssign(["moonshine"], undefined)("fr"), /whisper is not installed/);
  assert.throws(() => createAssign(["moonshine", "whisper"], "moonshine")("fr"), /moonshine does not know/);
  assert.throws(() => createAssign(["moonshine", "whisper"], undefined)("xx"), /whisper does not know/);
});
