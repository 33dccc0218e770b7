import assert from "node:assert/strict";
import { test } from "node:test";
import { openTogether } from "./open-together.ts";

test("what was opened is closed when something after it fails, and stays open otherwise", {
  timeout: 10_000,
}, async () => {
  const open = new Set<string>();
  const opening = (fails: boolean) =>
    openTogether(async (onFailure) => {
      for (const name of ["a", "b"]) {
        open.add(name);
        onFailure(async () => {
          open.delete(name);
        });
      }
      if (fails) throw new Error("c is missing");
      return "opened";
    });
  await assert.rejects(opening(true), /c is missing/);
  assert.deepEqual([...open], []);
  assert.equal(await opening(false), "opened");
  assert.deepEqual([...open], ["a", "b"]);
});
