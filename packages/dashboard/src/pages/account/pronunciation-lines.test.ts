import assert from "node:assert/strict";
import { test } from "node:test";
import { fromLines, toLines } from "./pronunciation-lines.ts";

test("a list becomes lines and back", () => {
  const list = { GIF: "jiff", Nguyen: "/nwˈɪn/" };
  assert.equal(toLines(list), "GIF = jiff\nNguyen = /nwˈɪn/");
  assert.deepEqual(fromLines(` ${toLines(list)} \n\n`), list);
  assert.deepEqual(fromLines(""), {});
});

test("a line without a pronunciation is named", () => {
  assert.throws(() => fromLines("GIF = jiff\nSQL"), /"SQL" has no "="/);
});
