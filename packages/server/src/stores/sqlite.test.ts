import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openSqliteStore } from "./sqlite.ts";
import { StoreError } from "./store-error.ts";

describe("the embedded database", () => {
  it("reports a file that cannot be opened in one line", async (context) => {
    const folder = await temporaryFolder(context);
    await writeFile(`${folder}/file`, "");
    await assert.rejects(openSqliteStore(`${folder}/file`), (error) => {
      assert.ok(error instanceof StoreError);
      assert.match(error.message, /^The database [^\n]+ cannot be opened: [^\n]+$/);
      return true;
    });
    await writeFile(`${folder}/parlance.db`, "this is not a database, it is a text of some length");
    await assert.rejects(openSqliteStore(folder), StoreError);
  });
});
