import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { addMonths, periodAt } from "./periods.ts";

it("renews on the same day of each month, on its last day where it is too short", () => {
  const anchor = "2024-01-31T10:20:30.400Z";
  assert.equal(addMonths(anchor, 1), "2024-02-29T10:20:30.400Z");
  assert.equal(addMonths(anchor, 2), "2024-03-31T10:20:30.400Z");
  assert.equal(addMonths(anchor, 3), "2024-04-30T10:20:30.400Z");
  assert.equal(addMonths(anchor, 13), "2025-02-28T10:20:30.400Z");
  assert.deepEqual(periodAt(anchor, Date.parse("2024-02-29T10:20:30.399Z")), {
    start: anchor,
    end: "2024-02-29T10:20:30.400Z",
  });
  assert.deepEqual(periodAt(anchor, Date.parse("2024-02-29T10:20:30.400Z")), {
    start: "2024-02-29T10:20:30.400Z",
    end: "2024-03-31T10:20:30.400Z",
  });
});

it("is in the first period when the clock is before the anchor", () => {
  assert.deepEqual(periodAt("2024-05-10T00:00:00.000Z", Date.parse("2020-01-01")), {
    start: "2024-05-10T00:00:00.000Z",
    end: "2024-06-10T00:00:00.000Z",
  });
});

it("holds every moment after the anchor in exactly one period, next to its neighbours", () => {
  const time = fc.date({ min: new Date("2000-01-01"), max: new Date("2100-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(time, time, (one, other) => {
      const [anchor, now] = one < other ? [one, other] : [other, one];
      const period = periodAt(anchor.toISOString(), now.getTime());
      assert.ok(period.start <= now.toISOString() && now.toISOString() < period.end);
      assert.equal(periodAt(anchor.toISOString(), Date.parse(period.end)).start, period.end);
    }),
  );
});
