import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createCharge } from "./charge.ts";
import { createClosings } from "./settlements.ts";

const log = { warn: () => {} };
const reserved = { userId: "ada", requestId: "r", credits: 10 };

/** Books that cannot be written for the first few times. */
function unsteady(failures: number) {
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

describe("a charge whose books are away", () => {
  it("is settled once they are back, and only then said to be", async () => {
    const books = unsteady(3);
    const closings = createClosings(books, log, { retryMs: 1 });
    const charge = createCharge(reserved, { deliver: async () => {}, close: closings.close, log });
    await charge.settle();
    assert.deepEqual(books.closed, [10]);
    await charge.refund();
    assert.deepEqual(books.closed, [10]);
  });

  it("fails to settle when they stay away, and is closed later all the same", async () => {
    const books = unsteady(5);
    const closings = createClosings(books, log, { retryMs: 5, patienceMs: 1 });
    const charge = createCharge(reserved, { deliver: async () => {}, close: closings.close, log });
    await assert.rejects(charge.settle(), /in good time/);
    while (books.closed.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(books.closed, [10]);
  });

  it("never fails to be given back", async () => {
    const closings = createClosings(unsteady(Number.POSITIVE_INFINITY), log, { retryMs: 5, patienceMs: 1 });
    const charge = createCharge(reserved, { deliver: async () => {}, close: closings.close, log });
    await charge.refund();
    assert.equal(charge.charged, 0);
    await closings.finish();
  });
});

describe("what was delivered", () => {
  it("is noted one note at a time, the newest last, and not after the end", async () => {
    const notes: number[] = [];
    let release = (): void => {};
    const deliver = (_user: string, _request: string, credits: number) => {
      notes.push(credits);
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    };
    const charge = createCharge(reserved, { deliver, close: async () => true, log });
    for (const credits of [1, 2, 3, 2, 50]) charge.delivered(credits);
    assert.deepEqual(notes, [1]);
    release();
    await new Promise(setImmediate);
    assert.deepEqual(notes, [1, 10]);
    await charge.settleDelivered();
    charge.delivered(10);
    release();
    await new Promise(setImmediate);
    assert.deepEqual(notes, [1, 10]);
    assert.equal(charge.charged, 10);
  });
});
