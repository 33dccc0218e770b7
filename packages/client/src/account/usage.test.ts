import assert from "node:assert/strict";
import { it } from "node:test";
import type { UsageReport } from "@parlance/protocol";
import { ConnectionError } from "../http/connection.ts";
import { Parlance } from "../parlance.ts";

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

function clientOf(answer: unknown) {
  const requestedUrls: string[] = [];
  const client = new Parlance({
    baseUrl: "http://127.0.0.1:1",
    apiKey: "k",
    fetch: async (url) => {
      requestedUrls.push(String(url));
      return Response.json(answer);
    },
  });
  return { client, requestedUrls };
}

it("usage returns the report of the account or of all accounts", async () => {
  const { client, requestedUrls } = clientOf(report);
  assert.deepEqual(await client.usage(), report);
  assert.deepEqual(await client.usage({ from: "2026-05-01", group_by: "key" }), report);
  assert.deepEqual(await client.usage.all({ user_id: "a b" }), report);
  assert.deepEqual(requestedUrls, [
    "http://127.0.0.1:1/account/usage",
    "http://127.0.0.1:1/account/usage?from=2026-05-01&group_by=key",
    "http://127.0.0.1:1/admin/usage?user_id=a+b",
  ]);
});

it("usage refuses an invalid response", async () => {
  await assert.rejects(clientOf({ rows: [] }).client.usage(), ConnectionError);
});
