import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:net";
import { it } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { assertReachable } from "./reachable.ts";

it("gives up on a server that accepts and does not answer, also after a garbage collection", {
  timeout: 20_000,
}, async (t) => {
  const server = createServer((socket) => t.after(() => socket.destroy())).listen(0, "127.0.0.1");
  t.after(() => server.close());
  await once(server, "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  setFlagsFromString("--expose-gc");
  const collecting = setInterval(runInNewContext("gc"), 20);
  t.after(() => clearInterval(collecting));
  const asked = assertReachable(`http://127.0.0.1:${address.port}`, new AbortController().signal, 500);
  await assert.rejects(asked, /cannot be reached: .*timeout/);
});
