import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fastify } from "fastify";
import { addCommonHeaders, createCommonHeaders } from "./headers.ts";
import { limitReceiveTime } from "./receive-timeout.ts";

async function send(context: TestContext, path: string, body: string): Promise<string> {
  const app = fastify({ genReqId: () => "trace" });
  context.after(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  addCommonHeaders(app, createCommonHeaders({ publicUrl: undefined, corsOrigins: undefined }));
  limitReceiveTime(app, 150);
  app.post("/quick", async () => "done");
  app.post("/slow-answer", () => sleep(400, "done"));
  app.post("/slow-body", { config: { slowBody: true } }, async () => "done");
  const { port } = new URL(await app.listen({ host: "127.0.0.1", port: 0 }));
  const socket = connect(Number(port), "127.0.0.1");
  let answer = "";
  socket.on("data", (data) => {
    answer += data.toString();
  });
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: text/plain\r\nContent-Length: 4`;
  socket.write(`${head}\r\n\r\n${body.slice(0, 4)}`);
  if (body.length > 4) setTimeout(() => socket.write(body.slice(4)), 400);
  await once(socket, "close");
  return answer;
}

describe("the time in which a request has to arrive", () => {
  it("ends a slow request with an error response", async (context) => {
    const answer = await send(context, "/quick", "ab");
    assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/);
    assert.match(answer, /x-trace-id: trace\r\n/);
    assert.match(answer, /\{"status":408,"message":"The request took too long to arrive"\}$/);
  });

  it("does not count the time of the response", async (context) => {
    assert.match(await send(context, "/slow-answer", "abcd"), /^HTTP\/1\.1 200 .*done$/s);
  });

  it("is left to routes with their own timeout", async (context) => {
    const slowly = send(context, "/slow-body", "ab");
    assert.equal(await Promise.race([slowly, sleep(500, "waits")]), "waits");
  });
});
