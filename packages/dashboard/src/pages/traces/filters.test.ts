import assert from "node:assert/strict";
import { test } from "node:test";
import { isFiltered, readFilters, toQuery, writeFilters } from "./filters.ts";

const read = (query: string) => readFilters(new URLSearchParams(query));

test("filters are written to the address and read from it", () => {
  const address = "traces?status=error&operation=tts&min_ms=5&max_ms=20&all=1";
  const filters = read(address.split("?")[1] ?? "");
  assert.equal(writeFilters(filters), address);
  assert.equal(isFiltered(filters), true);
  assert.equal(writeFilters(read("")), "traces");
  assert.equal(isFiltered(read("all=1")), false);
});

test("values that do not exist are ignored", () => {
  const { status, operation } = read("status=fine&operation=dance");
  assert.deepEqual([status, operation], ["", ""]);
});

test("only valid numbers within the limit are sent to the server", () => {
  assert.deepEqual(toQuery(read("min_ms=1.5&max_ms=1e12")), { min_ms: 1.5, max_ms: 86_400_000 });
  assert.deepEqual(toQuery(read("min_ms=-1&max_ms=abc&status=ok")), { status: "ok" });
});
