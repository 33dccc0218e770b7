import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { usageReport } from "@parlance/protocol";
import { bootstrap, openStore, readConfig } from "@parlance/server";
import { runInProcess } from "./testing/run-in-process.ts";

let folder: string;
let adminId: string;

const usage = (...args: string[]) => runInProcess(["usage", ...args], { PARLANCE_DATA: folder });

describe("parlance usage", () => {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "parlance-usage-"));
    const store = await openStore(readConfig({ PARLANCE_DATA: folder }).config);
    ({ adminId } = await bootstrap(store, "operator-chosen-key"));
    const [key] = await store.apiKeys.listOf(adminId, new Date().toISOString(), 1);
    const counts = {
      requests: 3,
      characters: 30,
      audioMs: 4500,
      credits: 31,
      refused: 1,
      failed: 0,
      firstAudio: "1h:2",
    };
    const record = { userId: adminId, keyId: key?.id ?? "", day: "2026-05-01", operation: "tts", ...counts };
    await store.transaction(({ usage: rows }) =>
      rows.add([record, { ...record, userId: "somebody", day: "2026-05-02", keyId: "gone" }]),
    );
    await store.close();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("prints a table with a total", async () => {
    const { code, stdout, stderr } = await usage("--from", "2026-05-01", "--to", "2026-05-31");
    assert.equal(code, 0, stderr);
    const lines = stdout.trimEnd().split("\n");
    assert.match(lines[0] ?? "", /^DAY +REQUESTS +CHARACTERS +AUDIO +CREDITS +4XX +5XX +FIRST 50% +95%$/);
    assert.match(lines[1] ?? "", /^2026-05-01 +3 +30 +4\.5 s +31 +1 +0 +9\d ms +9\d ms$/);
    assert.match(lines[3] ?? "", /^total +6 /);
  });

  it("prints the usage of one user as JSON and CSV", async () => {
    const days = ["--from", "2026-05-01", "--to", "2026-05-31"];
    const json = await usage(...days, "--by", "key", "--user", adminId, "--json");
    const report = usageReport.parse(JSON.parse(json.stdout));
    assert.deepEqual(
      report.rows.map((row) => [row.key_name, row.requests]),
      [["PARLANCE_ADMIN_KEY", 3]],
    );
    const csv = await usage(...days, "--by", "user", "--csv");
    assert.equal(csv.stdout.split("\r\n").length, 3, csv.stdout);
  });

  it("reports invalid options", async () => {
    for (const [args, message] of [
      [["--from", "2026-02-30"], /2026-02-30 is not a day/],
      [["--from", "2026-05-02", "--to", "2026-05-01"], /1 to 3660 days/],
      [["--user", "nobody@example.org"], /no user nobody@example.org/],
      [["--by", "colour"], /colour/],
    ] as const) {
      const { code, stdout, stderr } = await usage(...args);
      assert.equal(code, 2, stderr);
      assert.equal(stdout, "");
      assert.match(stderr, message);
    }
  });
});
