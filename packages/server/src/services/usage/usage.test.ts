import assert from "node:assert/strict";
import { it } from "node:test";
import { OPERATIONS, type UsageReport, usageReport } from "@parlance/protocol";
import fc from "fast-check";
import type { Store } from "../../stores/store.ts";
import { onEachDatabase } from "../../testing/databases.ts";
import { until } from "../../testing/until.ts";
import { createUsage, type UsedRequest } from "./usage.ts";
import { type ReportRequest, reportUsage } from "./usage-report.ts";

const NOON = Date.UTC(2026, 4, 17, 12);
const spoken: UsedRequest = {
  userId: "ada",
  keyId: "key-1",
  operation: "tts",
  status: 200,
  characters: 100,
  audioSeconds: 6.5,
  credits: 103,
  firstAudioMs: 80,
};

function report(store: Store, request: Partial<ReportRequest> = {}): Promise<UsageReport> {
  return reportUsage(store, { from: "2026-01-01", to: "2026-12-31", groupBy: "day", userId: "ada", ...request });
}

onEachDatabase("usage", (newDatabase) => {
  it("is summed by day, key, operation and user, and kept across restarts", async (context) => {
    const database = await newDatabase(context);
    const first = await database.open();
    const usage = createUsage(first, { now: () => NOON });
    usage.record(spoken);
    usage.record({ ...spoken, keyId: "key-2", firstAudioMs: 160 });
    usage.record({ ...spoken, keyId: undefined, operation: "live" });
    usage.record({ ...spoken, userId: "bob", operation: "asr", firstAudioMs: undefined });
    await usage.close();
    await first.close();

    const store = await database.open();
    const byDay = await report(store);
    assert.deepEqual(byDay.rows, [
      {
        day: "2026-05-17",
        requests: 3,
        characters: 300,
        audio_seconds: 19.5,
        credits: 309,
        errors_4xx: 0,
        errors_5xx: 0,
        first_audio_p50_ms: byDay.total.first_audio_p50_ms,
        first_audio_p95_ms: byDay.total.first_audio_p95_ms,
      },
    ]);
    assert.ok(Math.abs((byDay.total.first_audio_p50_ms ?? 0) / 80 - 1) < 0.05);
    assert.ok(Math.abs((byDay.total.first_audio_p95_ms ?? 0) / 160 - 1) < 0.05);
    const byKey = await report(store, { groupBy: "key" });
    assert.deepEqual(
      byKey.rows.map((row) => [row.key_id, row.requests]),
      [
        [null, 1],
        ["key-1", 1],
        ["key-2", 1],
      ],
    );
    const byOperation = await report(store, { groupBy: "operation", userId: undefined });
    assert.deepEqual(
      byOperation.rows.map((row) => [row.operation, row.requests, row.first_audio_p50_ms === null]),
      [
        ["asr", 1, true],
        ["live", 1, false],
        ["tts", 2, false],
      ],
    );
    const byUser = await report(store, { groupBy: "user", userId: undefined });
    assert.deepEqual(
      byUser.rows.map((row) => [row.user_id, row.user_name, row.requests]),
      [
        ["ada", null, 3],
        ["bob", null, 1],
      ],
    );
    for (const each of [byDay, byKey, byOperation, byUser]) assert.deepEqual(usageReport.parse(each), each);
  });

  it("labels keys and users with their names", async (context) => {
    const store = await (await newDatabase(context)).open();
    const at = "2026-01-01T00:00:00.000Z";
    const user = { id: "ada", role: "member", plan: "free", nickname: "Ada", email: "ada@example.org" } as const;
    await store.users.insert({ ...user, createdAt: at, updatedAt: at, disabledAt: null });
    const key = { id: "key-1", userId: "ada", name: "laptop", prefix: "pl-abc", hash: "h", createdAt: at };
    await store.apiKeys.insert({
      ...key,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
      scopes: null,
      limits: null,
    });
    const usage = createUsage(store, { now: () => NOON });
    usage.record(spoken);
    await usage.flush();
    const [keyRow] = (await report(store, { groupBy: "key" })).rows;
    assert.deepEqual([keyRow?.key_name, keyRow?.key_prefix], ["laptop", "pl-abc"]);
    const [userRow] = (await report(store, { groupBy: "user" })).rows;
    assert.deepEqual([userRow?.user_name, userRow?.user_email], ["Ada", "ada@example.org"]);
    await usage.close();
  });

  it("counts 4xx and 5xx separately, and disconnected clients as neither", async (context) => {
    const store = await (await newDatabase(context)).open();
    const usage = createUsage(store, { now: () => NOON });
    for (const status of [200, 402, 422, 429, 499, 500, 503]) usage.record({ ...spoken, status });
    usage.record({ ...spoken, status: 200, failed: true });
    usage.record({ ...spoken, userId: undefined });
    usage.record({ ...spoken, operation: undefined });
    await usage.flush();
    const { total } = await report(store);
    assert.deepEqual([total.requests, total.errors_4xx, total.errors_5xx], [8, 3, 3]);
    await usage.close();
  });

  it("counts a request on the UTC day on which it ended", async (context) => {
    const store = await (await newDatabase(context)).open();
    let time = Date.UTC(2026, 11, 31, 23, 59, 59, 999);
    const usage = createUsage(store, { now: () => time });
    usage.record(spoken);
    time += 1;
    usage.record(spoken);
    usage.record(spoken);
    await usage.flush();
    const { rows } = await report(store, { from: "2026-12-31", to: "2027-01-01" });
    assert.deepEqual(
      rows.map((row) => [row.day, row.requests]),
      [
        ["2026-12-31", 1],
        ["2027-01-01", 2],
      ],
    );
    assert.equal((await report(store, { from: "2026-12-31", to: "2026-12-31" })).total.requests, 1);
    assert.equal((await report(store, { from: "2027-01-01", to: "2027-01-01" })).total.requests, 2);
    await usage.close();
  });

  it("is exact when several nodes write the same rows at the same time", async (context) => {
    const database = await newDatabase(context);
    const first = await database.open();
    // SQLite runs in one process, where a second connection would block the event loop while it waits.
    const isShared = first.leases !== undefined;
    const stores = await Promise.all(Array.from({ length: 4 }, () => (isShared ? database.open() : first)));
    const nodes = stores.map((store) => createUsage(store, { now: () => NOON, flushMs: 3_600_000 }));
    await Promise.all(
      nodes.map(async (usage, node) => {
        for (let round = 0; round < 10; round += 1) {
          for (let i = 0; i < 12; i += 1) {
            // In a different order on each node.
            const which = (i * (node + 1) + round) % 6;
            const operation = OPERATIONS[which % 3] ?? "tts";
            usage.record({ ...spoken, operation, keyId: `key-${which}`, firstAudioMs: 2 ** which });
          }
          await usage.flush();
        }
      }),
    );
    const { total } = await report(first);
    const requests = 4 * 10 * 12;
    assert.equal(total.requests, requests);
    assert.equal(total.characters, requests * 100);
    assert.equal(total.audio_seconds, requests * 6.5);
    assert.equal(total.credits, requests * 103);
    const records = await first.usage.page({ from: "2026-05-17", to: "2026-05-17", limit: 100 });
    const firstAudioCounts = records.flatMap(({ firstAudio }) =>
      firstAudio.split(" ").map((each) => each.split(":")[1] ?? "1"),
    );
    assert.equal(
      firstAudioCounts.reduce((sum, count) => sum + Number.parseInt(count, 36), 0),
      requests,
    );
    for (const usage of nodes) await usage.close();
  });

  it("gives p50 and p95 to within 5 %, across days, keys and flushes", async (context) => {
    const store = await (await newDatabase(context)).open();
    let user = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 60_000 }), { minLength: 1, maxLength: 60 }),
        async (durations) => {
          user += 1;
          const userId = `user-${user}`;
          let time = NOON;
          const usage = createUsage(store, { now: () => time });
          for (const [index, firstAudioMs] of durations.entries()) {
            usage.record({ ...spoken, userId, keyId: `key-${index % 3}`, firstAudioMs });
            if (index % 20 === 19) await usage.flush();
            if (index % 7 === 6) time += 86_400_000;
          }
          await usage.close();
          const { total } = await report(store, { userId });
          const sorted = [...durations].sort((a, b) => a - b);
          for (const [share, quantile] of [
            [0.5, total.first_audio_p50_ms],
            [0.95, total.first_audio_p95_ms],
          ] as const) {
            const exact = sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
            assert.ok(Math.abs((quantile ?? Number.NaN) / exact - 1) < 0.05, `${quantile} for ${exact}`);
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it("reads reports that are longer than a page", async (context) => {
    const store = await (await newDatabase(context)).open();
    const usage = createUsage(store, { now: () => NOON });
    for (let i = 0; i < 4_500; i += 1) usage.record({ ...spoken, keyId: `key-${i}` });
    await usage.close();
    const { rows, total } = await report(store, { groupBy: "key" });
    assert.equal(rows.length, 4_500);
    assert.equal(total.requests, 4_500);
  });

  it("keeps counts that could not be written, and neither loses nor doubles any", async (context) => {
    const store = await (await newDatabase(context)).open();
    let broken = true;
    const fragile: Pick<Store, "transaction"> = {
      transaction: (work) =>
        store.transaction(async (records) => {
          const result = await work(records);
          if (broken) throw new Error("disk full");
          return result;
        }),
    };
    const usage = createUsage(fragile, { now: () => NOON, flushMs: 3_600_000 });
    usage.record(spoken);
    await assert.rejects(usage.flush(), /disk full/);
    usage.record(spoken);
    await assert.rejects(usage.flush(), /disk full/);
    assert.equal((await report(store)).total.requests, 0);
    broken = false;
    usage.record({ ...spoken, keyId: "key-2" });
    await usage.close();
    assert.equal((await report(store)).total.requests, 3);
  });

  it("is written by a timer", async (context) => {
    const store = await (await newDatabase(context)).open();
    const usage = createUsage(store, { now: () => NOON, flushMs: 10 });
    usage.record(spoken);
    await until(async () => (await report(store)).total.requests > 0);
    await usage.close();
  });
});
