import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createCapacityQueue } from "./capacity-queue.ts";
import type { StreamNeed } from "./schedulability.ts";

const never = new AbortController().signal;
const SOON = 1;
const LATE = 60_000;

/** Streams fit while the sum of their shares is below a limit that the test sets. */
function open() {
  const state = { limit: 1, views: 0, unavailable: new Set<string>() };
  const queue = createCapacityQueue<string>({
    unavailable: (name) => (state.unavailable.has(name) ? new Error(`${name} is unavailable`) : undefined),
    full: () => new Error("full"),
    view() {
      state.views++;
      let used = 0;
      return {
        accepts({ share }) {
          if (used + share > state.limit) return false;
          used += share;
          return true;
        },
        refusal: () => new Error("refused"),
      };
    },
  });
  const wait = (request: string, share: number, waitMs = LATE, signal = never) =>
    queue.wait({ request, need: needOf(share), deadline: performance.now() + waitMs }, signal);
  return { state, wait };
}

const needOf = (share: number): StreamNeed => ({ share, ahead: 0, left: 10 });

describe("requests that wait for capacity", () => {
  it("are accepted at once, or when there is capacity, or refused at their deadline", async () => {
    const { state, wait } = open();
    await wait("a", 1);
    await assert.rejects(wait("b", 2, SOON), /refused/);
    const waited = wait("c", 2);
    state.limit = 2;
    await waited;
  });

  it("are decided on together, in the order in which they came", async () => {
    const { state, wait } = open();
    state.limit = 0;
    const accepted: string[] = [];
    const names = Array.from({ length: 50 }, (_, index) => `r${index}`);
    const all = names.map((name) => wait(name, 1).then(() => accepted.push(name)));
    assert.equal(state.views, 1, "those behind the first one wait without a decision");
    state.limit = 20;
    await Promise.all(all);
    assert.deepEqual(accepted, names);
    assert.ok(state.views <= 4, `${state.views} views for 50 requests`);
  });

  it("are refused at once where 500 wait, without a view of the streams", async () => {
    const { state, wait } = open();
    state.limit = 0;
    const leaving = new AbortController();
    const flood = await Promise.allSettled(
      Array.from({ length: 20_000 }, (_, index) => {
        const waited = wait(`r${index}`, 1, LATE, leaving.signal);
        if (index === 19_999) leaving.abort(new Error("has left"));
        return waited;
      }),
    );
    const reasons = flood.map((end) => (end.status === "rejected" ? String(end.reason.message) : end.status));
    assert.deepEqual(
      [reasons.filter((each) => each === "has left").length, reasons.filter((each) => each === "full").length],
      [500, 19_500],
    );
    assert.equal(state.views, 1);
    // Those that have left make room.
    state.limit = 1;
    await wait("next", 1);
  });

  it("pass others only if they need less", async () => {
    const { state, wait } = open();
    const large = wait("large", 2);
    await wait("small", 1);
    const next = assert.rejects(wait("as large", 2, SOON), /refused/);
    state.limit = 2;
    await large;
    state.limit = 1;
    await next;
  });

  it("end with the reason of their signal, or when nothing can serve them", async () => {
    const { state, wait } = open();
    const leaving = new AbortController();
    const left = assert.rejects(wait("a", 2, LATE, leaving.signal), /has left/);
    const gone = assert.rejects(wait("b", 2), /b is unavailable/);
    leaving.abort(new Error("has left"));
    await left;
    state.unavailable.add("b");
    await gone;
    await assert.rejects(wait("b", 1), /b is unavailable/);
    await assert.rejects(wait("a", 1, LATE, leaving.signal), /has left/);
  });
});
