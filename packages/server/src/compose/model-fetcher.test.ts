import assert from "node:assert/strict";
import { it } from "node:test";
import { createModelFetcher } from "./model-fetcher.ts";

function setUp(failing: Set<string> = new Set()) {
  const installed = new Set<string>();
  const events: string[] = [];
  const fetcher = createModelFetcher({
    models: {
      has: async (id) => installed.has(id),
      async pull([id = ""]) {
        events.push(`begin ${id}`);
        await new Promise(setImmediate);
        if (failing.has(id)) throw new Error("no network");
        installed.add(id);
        events.push(`end ${id}`);
      },
    },
    onFetched: async () => void events.push("fetched"),
    log: { info() {}, warn: (fields: object) => void events.push(`warn ${JSON.stringify(fields)}`) },
  });
  return { fetcher, events };
}

it("fetches models one after the other, each once", async () => {
  const { fetcher, events } = setUp();
  await Promise.all([fetcher.request(["a", "b"]), fetcher.request(["b", "a"])]);
  await fetcher.request(["a"]);
  assert.deepEqual(events, ["begin a", "end a", "fetched", "begin b", "end b", "fetched"]);
});

it("continues after a failure, and retries a model that is requested again", async () => {
  const failing = new Set(["a"]);
  const { fetcher, events } = setUp(failing);
  await fetcher.request(["a", "b"]);
  assert.match(events[1] ?? "", /^warn .*model\.fetch-failed.*no network/);
  failing.clear();
  await fetcher.request(["a"]);
  assert.deepEqual(events.slice(2), ["begin b", "end b", "fetched", "begin a", "end a", "fetched"]);
});

it("starts no download after it was closed", async () => {
  const { fetcher, events } = setUp();
  void fetcher.request(["a", "b"]);
  await fetcher.close();
  assert.deepEqual(events, []);
});
