import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { until } from "../../testing/until.ts";
import { createCharge } from "./charge.ts";
import { createSettlementQueue } from "./settlements.ts";

const log = { warn: () => {} };
const reserved = { userId: "ada", requestId: "r", credits: 10 };

/** Reservations whose first few writes fail. */
function failing(failures: number) {
  const closed: (number | "delivered")[] = [];
  return {
    closed,
    async close(_userId: string, _requestId: string, used: number | "delivered") {
      if (failures-- > 0) throw new Error("the database is away");
      closed.push(used);
      return typeof used === "number" ? used : 0;
    },
  };
}

describe("a charge while the database is unreachable", () => {
  it("resolves `settle` only once the settlement is written", async () => {
    const reservations = failing(3);
    const queue = createSettlementQueue(reservations, log, { retryMs: 1 });
    const charge = createCharge(reserved, { deliver: async () => {}, settle: queue.settle, log });
    await charge.settle();
    assert.deepEqual(reservations.closed, [10]);
    await charge.refund();
    assert.deepEqual(reservations.closed, [10]);
  });

  it("rejects `settle` at the timeout and writes the settlement later", async () => {
    const reservations = failing(5);
    const queue = createSettlementQueue(reservations, log, { retryMs: 5, timeoutMs: 1 });
    const charge = createCharge(reserved, { deliver: async () => {}, settle: queue.settle, log });
    await assert.rejects(charge.settle(), /in time/);
    await until(() => reservations.closed.length > 0);
    assert.deepEqual(reservations.closed, [10]);
  });

  it("never rejects `refund`", async () => {
    const queue = createSettlementQueue(failing(Number.POSITIVE_INFINITY), log, { retryMs: 5, timeoutMs: 1 });
    const charge = createCharge(reserved, { deliver: async () => {}, settle: queue.settle, log });
    await charge.refund();
    assert.equal(charge.charged, 0);
    await queue.flush();
  });
});

describe("the delivered part of a charge", () => {
  it("is written one update at a time, the newest last, and not after the end", async () => {
    const written: number[] = [];
    let release = (): void => {};
    const deliver = (_user: string, _request: string, credits: number) => {
      written.push(credits);
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    const charge = createCharge(reserved, { deliver, settle: async () => true, log });
    charge.delivered(1);
    assert.deepEqual(written, [], "audio is sent before a write that waits for the disk");
    await until(() => written.length > 0);
    for (const credits of [2, 3, 2, 50]) charge.delivered(credits);
    assert.deepEqual(written, [1]);
    release();
    await until(() => written.length > 1);
    assert.deepEqual(written, [1, 10]);
    await charge.settleDelivered();
    charge.delivered(10);
    release();
    await new Promise(setImmediate);
    assert.deepEqual(written, [1, 10]);
    assert.equal(charge.charged, 10);
  });
});
