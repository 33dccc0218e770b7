import assert from "node:assert/strict";
import { it } from "node:test";
import { createBackgroundFetch } from "./background-fetch.ts";

function setUp(failing: Set<string> = new Set()) {
  const installed = new Set<string>();
  const events: string[] = [];
  const controller = new AbortController();
  const fetching = createBackgroundFetch({
    store: {
      has: async (id) => installed.has(id),
      async pull([id = ""]) {
        events.push(`begin ${id}`);
        await new Promise(setImmediate);
        if (failing.has(id)) throw new Error("no network");
        installed.add(id);
        events.push(`end ${id}`);
      },
    },
    refresh: async () => void events.push("refresh"),
    log: { info() {}, warn: (facts: object) => void events.push(`warn ${JSON.stringify(facts)}`) },
    signal: controller.signal,
  });
  return { fetching, events, controller };
}

it("fetches one after the other, each once, and says when there is something new", async () => {
  const { fetching, events } = setUp();
  fetching.want(["a", "b"]);
  fetching.want(["b", "a"]);
  await fetching.ended();
  fetching.want(["a"]);
  await fetching.ended();
  assert.deepEqual(events, ["begin a", "end a", "refresh", "begin b", "end b", "refresh"]);
});

it("goes on after a failure, and tries again when it is asked again", async () => {
  const failing = new Set(["a"]);
  const { fetching, events } = setUp(failing);
  fetching.want(["a", "b"]);
  await fetching.ended();
  assert.match(events[1] ?? "", /^warn .*no network/);
  failing.clear();
  fetching.want(["a"]);
  await fetching.ended();
  assert.deepEqual(events.slice(2), ["begin b", "end b", "refresh", "begin a", "end a", "refresh"]);
});

it("begins nothing more once it was ended", async () => {
  const { fetching, events, controller } = setUp();
  fetching.want(["a", "b"]);
  controller.abort();
  await fetching.ended();
  assert.deepEqual(events, []);
});
