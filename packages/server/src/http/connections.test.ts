import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { openFileLimit } from "../lib/open-files.ts";
import { createNetworkMatcher } from "../lib/trusted-networks.ts";
import { startTestServer } from "../testing/test-server.ts";
import { until } from "../testing/until.ts";
import { withinOpenFiles } from "./connections.ts";

async function connectTimes(context: TestContext, url: string, count: number): Promise<readonly Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(Number(new URL(url).port), "127.0.0.1"));
  for (const socket of sockets) {
    context.after(() => socket.destroy());
    socket.on("error", () => {});
    socket.resume();
  }
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  return sockets;
}

describe("connections from one address", { timeout: 60_000 }, () => {
  it("are at most as many as set; one that closes makes room", async (context) => {
    const server = await startTestServer({ config: { maxConnectionsPerAddress: 3 } });
    context.after(() => server.close());
    const held = await connectTimes(context, server.url, 3);
    const [refused] = await connectTimes(context, server.url, 1);
    await until(() => refused?.destroyed === true);
    await until(() => server.log.some((line) => line.includes('"connection.refused"')));
    assert.ok(held.every((socket) => !socket.destroyed));
    for (const socket of held) socket.destroy();
    await until(async () => (await fetch(`${server.url}/health/live`).catch(() => undefined))?.ok);
  });

  it("get an error at once over either limit, also by fetch", async (context) => {
    for (const config of [{ maxConnectionsPerAddress: 1 }, { maxConnections: 1 }]) {
      const server = await startTestServer({ config });
      context.after(() => server.close());
      await connectTimes(context, server.url, 1);
      const signal = AbortSignal.timeout(10_000);
      await assert.rejects(fetch(`${server.url}/health/live`, { signal }), {
        name: "TypeError",
        message: "fetch failed",
      });
    }
  });

  it("are not counted for a trusted proxy", async (context) => {
    const server = await startTestServer({ config: { maxConnectionsPerAddress: 2, trustProxy: ["loopback"] } });
    context.after(() => server.close());
    await connectTimes(context, server.url, 6);
    assert.equal((await fetch(`${server.url}/health/live`)).status, 200);
  });

  it("match addresses and networks in both notations", () => {
    const matches = createNetworkMatcher(["loopback", "10.0.0.0/8", "2001:db8::/32", "192.0.2.7"]);
    for (const address of ["127.0.0.9", "::1", "10.1.2.3", "::ffff:10.1.2.3", "2001:db8::5", "192.0.2.7"])
      assert.ok(matches(address), address);
    for (const address of ["11.0.0.1", "192.0.2.8", "2001:db9::1", "::ffff:11.0.0.1"])
      assert.ok(!matches(address), address);
    assert.ok(!createNetworkMatcher([])("127.0.0.1"));
  });
});

describe("connections within the open files of the process", () => {
  const limits = { maxConnections: 5000, maxConnectionsPerAddress: 1000, trustProxy: undefined };

  it("are as many as the settings allow where there are enough files", () => {
    assert.equal(withinOpenFiles(limits, 20_000), limits);
    assert.equal(withinOpenFiles(limits, undefined), limits);
  });

  it("are fewer where there are few, and no address gets all of them", () => {
    const few = withinOpenFiles(limits, 1024);
    assert.deepEqual([few.maxConnections, few.maxConnectionsPerAddress], [768, 576]);
    assert.equal(withinOpenFiles(limits, 10).maxConnections, 4);
  });

  it("are counted by the operating system", { skip: process.platform !== "linux" }, () => {
    assert.ok((openFileLimit() ?? 0) > 0);
  });
});
