import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "../../../../../tests/support/until.ts";
import { createNatsTransport } from "./nats-transport.ts";

it("stops connecting when it is closed before a NATS server has answered", { timeout: 60_000 }, async (t) => {
  let attempts = 0;
  const silent = createServer((socket) => {
    attempts++;
    socket.destroy();
  }).listen(0, "127.0.0.1");
  t.after(() => silent.close());
  await once(silent, "listening");
  const transport = createNatsTransport(`nats://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  await until(() => attempts >= 2, { what: "it has tried twice" });
  assert.equal(transport.connected, false);
  await transport.close();
  // An attempt may be under way.
  await sleep(300);
  const before = attempts;
  await sleep(1_200);
  assert.equal(attempts, before);
});

it("refuses what is no address where it is created, and ends no process later", () => {
  for (const url of ["nonsense", "nats://user:100%@127.0.0.1:4222"]) assert.throws(() => createNatsTransport(url));
});
