import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openPostgresStore } from "./postgres.ts";
import { StoreError } from "./store-error.ts";

describe("PostgreSQL", () => {
  it("reports an unreachable server in one line without the password", async () => {
    await assert.rejects(openPostgresStore("postgres://ada:lovelace@127.0.0.1:1/parlance"), (error) => {
      assert.ok(error instanceof StoreError);
      assert.match(
        error.message,
        /^The database postgres:\/\/127\.0\.0\.1:1\/parlance cannot be opened: [^\n]*ECONNREFUSED[^\n]*$/,
      );
      return true;
    });
  });
});
