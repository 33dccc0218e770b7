import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRoute } from "./route.ts";

test("a route has a page, an item and a query", () => {
  const { page, item, query } = parseRoute("#/voices/a%20b?q=x&all=1");
  assert.deepEqual([page, item, query.get("q"), query.get("all")], ["voices", "a b", "x", "1"]);
});

test("parts that are missing are empty", () => {
  for (const hash of ["", "#", "#/"]) {
    const { page, item, query } = parseRoute(hash);
    assert.deepEqual([page, item, query.toString()], ["", "", ""]);
  }
});

test("a part that cannot be decoded is empty", () => {
  assert.equal(parseRoute("#/voices/%E0%A4%A").item, "");
});
