import assert from "node:assert/strict";
import { test } from "node:test";
import { listenForProbes } from "./worker-health.ts";

test("a worker is ready while it is connected and has an engine", async (t) => {
  const state = { connected: false, kinds: ["decode"] };
  const worker = {
    get connected() {
      return state.connected;
    },
    offers: () => state.kinds,
  };
  const health = await listenForProbes(worker, { host: "127.0.0.1", port: 0 });
  t.after(() => health.close());
  const ask = async (path: string) => (await fetch(`http://127.0.0.1:${health.port}${path}`)).status;
  assert.equal(await ask("/health/live"), 200);
  assert.equal(await ask("/health/ready"), 503);
  state.connected = true;
  assert.equal(await ask("/health/ready"), 503);
  state.kinds = ["decode", "speech.piper"];
  assert.equal(await ask("/health/ready"), 200);
  assert.equal(await ask("/metrics"), 404);
});
