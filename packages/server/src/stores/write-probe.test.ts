import assert from "node:assert/strict";
import { describe, it } from "node:test";
import Database from "libsql";
import { asApiError } from "../http/errors.ts";
import { startTestServer } from "../testing/test-server.ts";
import { until } from "../testing/until.ts";
import { databasePath } from "./sqlite.ts";
import { isStorageFull } from "./store-error.ts";

/** An error as SQLite reports it, from a database that may not grow. */
function fullDatabaseError(): unknown {
  const database = new Database(":memory:");
  try {
    database.exec("create table t (b blob); pragma max_page_count = 3");
    for (let i = 0; i < 100; i += 1) database.prepare("insert into t values (zeroblob(4096))").run();
    return assert.fail("the database is not full");
  } catch (error) {
    return error;
  } finally {
    database.close();
  }
}

describe("a full disk", { timeout: 60_000 }, () => {
  it("answers 503 with a time to retry after, not 500", () => {
    for (const error of [
      fullDatabaseError(),
      Object.assign(new Error("no space left on device"), { code: "ENOSPC" }),
      Object.assign(new Error("could not extend file"), { code: "53100" }),
    ]) {
      assert.ok(isStorageFull(error), String(error));
      const { status, code, retryAfterSeconds } = asApiError(error);
      assert.deepEqual([status, code, retryAfterSeconds], [503, "unavailable", 10]);
    }
    assert.equal(asApiError(new Error("other")).status, 500);
  });

  it("is found by the health check, which writes", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    const other = new Database(databasePath(server.folder));
    context.after(() => other.close());
    // Reads still work; every write to the probe's table fails.
    for (const event of ["insert", "update"])
      other.exec(`create trigger no_${event} before ${event} on write_probes begin select raise(abort, 'full'); end`);
    const ready = async () => (await fetch(`${server.url}/health/ready`)).status;
    await until(async () => (await ready()) === 503, { timeoutMs: 30_000 });
    for (const event of ["insert", "update"]) other.exec(`drop trigger no_${event}`);
    await until(async () => (await ready()) === 200, { timeoutMs: 30_000 });
  });
});
