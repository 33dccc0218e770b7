import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { createJsonBoundsCheck, JsonBoundsError } from "./json-bounds.ts";

const bounds = { depth: 3, elements: 8, values: 5, escapes: 2 };

function check(text: string, pieces = 1): void {
  const bytes = new TextEncoder().encode(text);
  const scan = createJsonBoundsCheck(bounds);
  const size = Math.max(1, Math.ceil(bytes.length / pieces));
  for (let at = 0; at < bytes.length; at += size) scan.push(bytes.subarray(at, at + size));
  scan.end();
}

test("each bound is exact", () => {
  check("[[[]]]");
  assert.throws(() => check("[[[[]]]]"), /more than 3 levels of nesting/);
  check('["a","a",true,false,null,{}]');
  assert.throws(() => check('["a",["b"],["c","d"],true,null]'), /more than 8 elements/);
  check("[1,2,3,4,5,6]");
  assert.throws(() => check("[1,2,3,4,5,6,7]"), /more than 5 values/);
  check('"\\n\\n"');
  assert.throws(() => check('"\\n\\n\\n"'), /more than 2 escape sequences/);
});

test("the contents of strings do not count", () => {
  check(`["${"[{,:true".repeat(100)}"]`);
  check('["\\"[[[["]');
});

test("a text that ends too early is refused before it is parsed", () => {
  for (const text of ["[", '{"a', '"a\\"', "[[1]"]) assert.throws(() => check(text), /it ends too early/);
});

test("any JSON text within the bounds passes, in however many pieces it comes", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 2 }), fc.integer({ min: 1, max: 9 }), (text, pieces) => {
      const whole = outcome(text, 1);
      assert.equal(outcome(text, pieces), whole);
      if (whole !== "passes") assert.match(whole, /^more than \d+ /);
    }),
  );
});

function outcome(text: string, pieces: number): string {
  try {
    check(text, pieces);
    return "passes";
  } catch (error) {
    assert.ok(error instanceof JsonBoundsError);
    return error.message;
  }
}
