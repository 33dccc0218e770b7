import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { describe, it } from "node:test";
import Database from "libsql";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { databasePath, openSqliteStore } from "./sqlite.ts";
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

  it("reports the error that ended a transaction, also when SQLite has rolled it back by itself", async (context) => {
    const folder = await temporaryFolder(context);
    const store = await openSqliteStore(folder);
    context.after(() => store.close());
    const other = new Database(databasePath(folder));
    context.after(() => other.close());
    other.exec("create trigger t before insert on nodes begin select raise(rollback, 'the disk is full'); end");
    const insert = () => store.transaction(({ nodes }) => nodes.heartbeat("n", "2026-05-01T12:00:00.000Z"));
    await assert.rejects(insert, /the disk is full/);
    other.exec("drop trigger t");
    await insert();
  });
});
