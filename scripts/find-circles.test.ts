import assert from "node:assert/strict";
import { test } from "node:test";
import { findCircles } from "./find-circles.ts";

test("files that import each other are reported with the whole circle", () => {
  const imports = new Map([
    ["a", ["b"]],
    ["b", ["c"]],
    ["c", ["b", "d"]],
    ["d", []],
  ]);
  assert.deepEqual(findCircles(imports), [["b", "c"]]);
});

test("a file that imports itself is a circle", () => {
  assert.deepEqual(findCircles(new Map([["a", ["a"]]])), [["a"]]);
});

test("a shared dependency is no circle", () => {
  const imports = new Map([
    ["a", ["b", "c"]],
    ["b", ["d"]],
    ["c", ["d"]],
    ["d", []],
  ]);
  assert.deepEqual(findCircles(imports), []);
});
