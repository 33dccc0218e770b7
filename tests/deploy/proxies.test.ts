import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type PostgresServer, postgresMissing, startPostgres } from "../../packages/server/src/testing/postgres.ts";
import { burstSamples, wavFile } from "../../packages/server/src/testing/wav-file.ts";
import { until } from "../support/until.ts";
import { type Node, requestsOf, startNode } from "./node.ts";
import { proxyMissing, proxyNames, type ReverseProxy, startProxy } from "./proxy.ts";
import { bodyOf, call, clientAddress, openLive } from "./proxy-client.ts";

const key = "deploy-key-0123456789abcdef";
const [email, password] = ["admin@example.org", "correct horse"];
const authorization = { authorization: `Bearer ${key}` };
const json = { "content-type": "application/json" };
const speak = {
  path: "/v1/tts",
  headers: { ...authorization, ...json, model: "s2-pro" },
  body: '{"text":"a","format":"pcm"}',
};
const partBytes = 3200;
const recording = wavFile(burstSamples(2, [{ start: 0.25, end: 0.5, level: 20 }]), 16_000);

describe("reverse proxies in front of two nodes", { skip: postgresMissing }, () => {
  let postgres: PostgresServer;
  let folder: string;
  let nodes: readonly [Node, Node];
  const proxies: ReverseProxy[] = [];

  before(async () => {
    postgres = await startPostgres();
    folder = await mkdtemp(join(tmpdir(), "parlance-deploy-"));
    const settings = {
      PARLANCE_DATABASE_URL: postgres.url,
      PARLANCE_ADMIN_KEY: key,
      PARLANCE_ADMIN_EMAIL: email,
      PARLANCE_ADMIN_PASSWORD: password,
      PARLANCE_TRUST_PROXY: "loopback",
      PARLANCE_DRAIN_SECONDS: "1",
    };
    const start = (data: string) => startNode({ ...settings, PARLANCE_DATA: join(folder, data) });
    nodes = [await start("first"), await start("second")];
  });
  after(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await Promise.all((nodes ?? []).map((node) => node.stop()));
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  for (const name of proxyNames) {
    describe(name, { skip: proxyMissing(name) }, () => {
      let proxy: ReverseProxy;
      before(async () => {
        proxy = await startProxy(name, [nodes[0].address, nodes[1].address]);
        proxies.push(proxy);
      });

      it("forwards the start of a stream while the rest is still being synthesized", async () => {
        for (const node of nodes) node.hold();
        const response = await call(proxy, speak);
        assert.equal(response.statusCode, 200);
        for await (const chunk of response) {
          assert.ok(chunk.length > 0);
          break;
        }
        response.destroy();
      });

      it("forwards the start of a live round while the rest is still being synthesized", async () => {
        const socket = await openLive(proxy, { ...authorization, model: "s2-pro" });
        socket.send(
          { event: "start", request: { text: "", format: "pcm" } },
          { event: "text", text: "One. Two. Three. " },
        );
        const frame = await socket.next();
        assert.equal(frame?.event, "audio");
        socket.close();
      });

      it("forwards a refusal before the upload is complete", async () => {
        const headers = { authorization: "Bearer wrong", "content-type": "multipart/form-data; boundary=x" };
        const length = { "content-length": String(100_000_000) };
        const upload = { path: "/v1/asr", headers: { ...headers, ...length }, body: "--x\r\n", end: false };
        const response = await call(proxy, upload);
        assert.equal(response.statusCode, 401);
        response.destroy();
      });

      it("forwards complete streams, rounds and uploads, and uses both nodes", async () => {
        for (const node of nodes) node.release();
        const used = async (): Promise<number[]> => Promise.all(nodes.map((node) => requestsOf(node, key)));
        const earlier = await used();
        for (let i = 0; i < 4; i += 1) {
          assert.equal((await bodyOf(await call(proxy, speak))).length, 5 * partBytes);
        }
        const socket = await openLive(proxy, { ...authorization, model: "s2-pro" });
        socket.send({ event: "start", request: { text: "", format: "pcm" } }, { event: "text", text: "One. Two. " });
        socket.send({ event: "stop" });
        const events = [await socket.next(), await socket.next(), await socket.next()].map((frame) => frame?.event);
        assert.deepEqual(events, ["audio", "audio", "finish"]);
        socket.close();

        const form = new FormData();
        form.append("audio", new Blob([recording]), "speech.wav");
        const encoded = new Response(form);
        const type = { "content-type": encoded.headers.get("content-type") ?? "" };
        const body = Buffer.from(await encoded.arrayBuffer());
        const transcript = await call(proxy, { path: "/v1/asr", headers: { ...authorization, ...type }, body });
        const answer = String(await bodyOf(transcript));
        assert.equal(JSON.parse(answer).text, "20", answer);
        const later = await used();
        for (const index of [0, 1]) assert.ok((later[index] ?? 0) > (earlier[index] ?? 0), `node ${index} was used`);
      });

      it("forwards the address and the protocol of the client, and ignores the headers that the client sends", async () => {
        const claimed = { ...json, "x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "http" };
        const body = JSON.stringify({ email, password });
        const signedIn = await call(proxy, { path: "/account/sign-in", headers: claimed, body });
        assert.equal(signedIn.statusCode, 200);
        const [cookie = ""] = signedIn.headers["set-cookie"] ?? [];
        assert.match(cookie, /; Secure/);
        const headers = { cookie: cookie.split(";", 1)[0] ?? "" };
        const sessions = await call(proxy, { method: "GET", path: "/account/sessions", headers });
        const items: { address: string; current: boolean }[] = JSON.parse(String(await bodyOf(sessions)));
        assert.equal(items.find(({ current }) => current)?.address, clientAddress);
      });
    });
  }

  it("all send requests to the other node when one was stopped", async () => {
    await nodes[0].stop();
    for (const proxy of proxies) {
      await until(async () => (await call(proxy, speak)).statusCode === 200, { what: "the other node answers" });
      for (let i = 0; i < 6; i += 1) {
        const response = await call(proxy, speak);
        assert.equal(response.statusCode, 200);
        assert.equal((await bodyOf(response)).length, 5 * partBytes);
      }
    }
  });
});
