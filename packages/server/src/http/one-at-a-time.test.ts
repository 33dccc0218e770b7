import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fastify } from "fastify";
import { until } from "../testing/until.ts";
import { handleOneAtATime } from "./one-at-a-time.ts";

const LARGE = Buffer.alloc(64 * 1024 * 1024);

async function serve(context: TestContext, readerTimeoutMs = 60_000) {
  const app = fastify();
  context.after(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  const started: string[] = [];
  const running = new Set<() => void>();
  const sockets: Socket[] = [];
  app.server.on("connection", (socket: Socket) => sockets.push(socket));
  handleOneAtATime(app, readerTimeoutMs);
  app.get<{ Params: { name: string } }>("/held/:name", async ({ params: { name } }) => {
    started.push(name);
    await new Promise<void>((resolve) => running.add(resolve));
    return name;
  });
  app.get("/slow", () => sleep(600, "made"));
  app.get("/large", async () => LARGE);
  const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const client = connect(Number(port), "127.0.0.1").on("error", () => {});
  context.after(() => client.destroy());
  const send = (...paths: string[]) =>
    client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(""));
  const release = () => {
    for (const resolve of running) resolve();
    running.clear();
  };
  return { client, send, started, running, release, sockets };
}

describe("requests of one connection", { timeout: 60_000 }, () => {
  it("are handled one after the other, in their order", async (context) => {
    const { client, send, started, running, release } = await serve(context);
    let received = "";
    client.on("data", (data) => {
      received += String(data);
    });
    send("/held/a", "/held/b", "/held/c");
    for (const [index, name] of ["a", "b", "c"].entries()) {
      await until(() => running.size === 1);
      assert.deepEqual([started.length, started.at(-1)], [index + 1, name]);
      release();
    }
    await until(() => /\r\n\r\na.*\r\n\r\nb.*\r\n\r\nc$/s.test(received));
  });

  it("are not handled when the client has disconnected", async (context) => {
    const { client, send, started, running, release, sockets } = await serve(context);
    send("/held/a", "/held/b", "/held/c");
    await until(() => running.size === 1);
    client.destroy();
    await until(() => sockets.every(({ destroyed }) => destroyed));
    release();
    await sleep(50);
    assert.deepEqual(started, ["a"]);
  });

  it("end the connection when hundreds are sent ahead", async (context) => {
    const { client, send, started } = await serve(context);
    client.resume();
    send(...Array.from({ length: 500 }, (_, index) => `/held/${index}`));
    await once(client, "close");
    assert.ok(started.length <= 1);
  });

  it("end the connection when their response is not read, not while it is made", async (context) => {
    const { client, send, sockets } = await serve(context, 250);
    send("/slow");
    const [made] = await once(client, "data");
    assert.match(String(made), /made$/);
    client.pause();
    send("/large");
    await until(() => sockets[0]?.destroyed === true);
  });
});
