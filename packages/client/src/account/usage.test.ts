import assert from "node:assert/strict";
import { it } from "node:test";
import type { UsageReport } from "@parlance/protocol";
import { ConnectionError } from "../http/connection.ts";
import { answeredWith } from "../testing/answering.ts";

const total = {
  requests: 2,
  characters: 10,
  audio_seconds: 1.25,
  credits: 10,
  errors_4xx: 1,
  errors_5xx: 0,
  first_audio_p50_ms: 80,
  first_audio_p95_ms: null,
};
const report: UsageReport = {
  from: "2026-05-01",
  to: "2026-05-31",
  group_by: "day",
  rows: [{ day: "2026-05-02", ...total }],
  total,
};

it("usage returns the report of the account or of all accounts", async () => {
  const { client, requestedPaths } = answeredWith(report);
  assert.deepEqual(await client.usage(), report);
  assert.deepEqual(await client.usage({ from: "2026-05-01", group_by: "key" }), report);
  assert.deepEqual(await client.usage.all({ user_id: "a b" }), report);
  assert.deepEqual(requestedPaths, [
    "/account/usage",
    "/account/usage?from=2026-05-01&group_by=key",
    "/admin/usage?user_id=a+b",
  ]);
});

it("usage refuses an invalid response", async () => {
  await assert.rejects(answeredWith({ rows: [] }).client.usage(), ConnectionError);
});
