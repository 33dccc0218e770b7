import assert from "node:assert/strict";
import { it } from "node:test";
import type { UsageTotals } from "@parlance/protocol";
import { usageCsv } from "./usage-csv.ts";

const totals: UsageTotals = {
  requests: 3,
  characters: 12,
  audio_seconds: 1.5,
  credits: 12,
  errors_4xx: 1,
  errors_5xx: 0,
  first_audio_p50_ms: 80.5,
  first_audio_p95_ms: null,
};
const report = { from: "2026-05-01", to: "2026-05-02", total: totals };

it("a CSV report has a header and a line for each row", () => {
  const csv = usageCsv({ ...report, group_by: "day", rows: [{ day: "2026-05-01", ...totals }] });
  assert.equal(
    csv,
    "day,requests,characters,audio_seconds,credits,errors_4xx,errors_5xx,first_audio_p50_ms,first_audio_p95_ms\r\n" +
      "2026-05-01,3,12,1.5,12,1,0,80.5,\r\n",
  );
});

it("a cell is never a formula and never splits into several", () => {
  const cases: readonly (readonly [string, string])[] = [
    ["laptop", "laptop"],
    ['=HYPERLINK("http://x","y")', `"'=HYPERLINK(""http://x"",""y"")"`],
    ["+1", "'+1"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    ["\t=1", "'\t=1"],
    ["\r=1", `"'\r=1"`],
    ["a,b", '"a,b"'],
    ["line\nline", '"line\nline"'],
  ];
  for (const [name, cell] of cases) {
    const row = { key_id: "k", key_name: name, key_prefix: "pl-", ...totals };
    const csv = usageCsv({ ...report, group_by: "key", rows: [row] });
    assert.equal(csv.slice(csv.indexOf("\r\n") + 2), `k,${cell},pl-,3,12,1.5,12,1,0,80.5,\r\n`);
  }
});
