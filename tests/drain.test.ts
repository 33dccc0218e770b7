import assert from "node:assert/strict";
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { describe, it, type TestContext } from "node:test";
import { LIVE_PATH } from "@parlance/protocol";
import { WebSocket } from "ws";
import { connectLive, type LiveClient } from "../packages/server/src/testing/live-client.ts";
import { temporaryFolder } from "../packages/server/src/testing/temporary-folder.ts";
import { sourceFlags, sourcePath } from "./support/child-sources.ts";
import { until } from "./support/until.ts";

const SCRIPT = sourcePath("../packages/server/src/testing/serve-held-tone.ts", import.meta.url);
const PART_BYTES = 3200;

interface Service {
  readonly process: ChildProcess;
  readonly exit: Promise<unknown[]>;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  speak(): Promise<Response>;
  live(): Promise<LiveClient>;
}

/** A service in a separate process, in which every stream waits after its first audio. */
async function start(context: TestContext, drainSeconds: number): Promise<Service> {
  const child = fork(SCRIPT, {
    execArgv: [...sourceFlags],
    env: {
      ...process.env,
      PARLANCE_DATA: await temporaryFolder(context),
      PARLANCE_PORT: "0",
      PARLANCE_DRAIN_SECONDS: String(drainSeconds),
    },
  });
  context.after(() => child.kill("SIGKILL"));
  const exit = once(child, "exit");
  const [{ url, key }] = (await once(child, "message")) as [{ url: string; key: string }];
  const headers = { authorization: `Bearer ${key}`, model: "s2-pro", "content-type": "application/json" };
  const speak = () =>
    fetch(`${url}/v1/tts`, { method: "POST", headers, body: JSON.stringify({ text: "a", format: "pcm" }) });
  return { process: child, exit, url, headers, speak, live: () => connectLive(url, { headers }) };
}

/** A round with its first audio and complete text. */
async function speakingLive(service: Service): Promise<LiveClient> {
  const live = await service.live();
  live.send({ event: "start", request: { text: "", format: "pcm" } });
  live.send({ event: "text", text: "One. Two. Three. " }, { event: "stop" });
  const first = await live.next();
  assert.ok(typeof first === "object" && first.event === "audio");
  return live;
}

async function refusedUpgrade({ url, headers }: Service): Promise<IncomingMessage> {
  const socket = new WebSocket(url.replace("http", "ws") + LIVE_PATH, { headers });
  socket.on("error", () => {});
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
  response.resume();
  return response;
}

describe("SIGTERM", { timeout: 120_000 }, () => {
  it("refuses new requests, finishes running ones, closes sockets with 1001, and exits with 0", async (context) => {
    const service = await start(context, 3600);
    const stream = await service.speak();
    assert.equal(stream.status, 200);
    const [speaking, idle] = [await speakingLive(service), await service.live()];

    service.process.kill("SIGTERM");
    assert.equal(await idle.next(), 1001, "an idle socket is closed immediately");
    for (const refused of [await service.speak(), await fetch(`${service.url}/health/ready`)]) {
      assert.equal(refused.status, 503);
      assert.equal(refused.headers.get("x-error-code"), "draining");
      assert.ok(Number(refused.headers.get("retry-after")) > 0);
      assert.equal(refused.headers.get("connection"), "close", "the client has to use another connection");
      await refused.arrayBuffer();
    }
    assert.equal((await refusedUpgrade(service)).statusCode, 503);
    assert.equal((await fetch(`${service.url}/health/live`)).status, 200);

    service.process.send("go on");
    assert.equal((await stream.arrayBuffer()).byteLength, 5 * PART_BYTES, "the stream is complete");
    const { finish, frames } = await speaking.round();
    assert.deepEqual(finish, { event: "finish", reason: "stop" });
    assert.ok(frames.length > 0);
    assert.equal(await speaking.next(), 1001, "a socket that speaks is closed after its round");
    assert.deepEqual(await service.exit, [0, null]);
    await assert.rejects(fetch(`${service.url}/health/live`));
  });

  it("aborts the remaining requests visibly after the drain time, and still exits with 0", async (context) => {
    const service = await start(context, 1);
    const stream = await service.speak();
    const speaking = await speakingLive(service);
    service.process.kill("SIGTERM");
    await assert.rejects(stream.arrayBuffer(), "an incomplete file is reported as an error");
    const { finish } = await speaking.round();
    assert.equal(finish.reason, "error");
    assert.equal(await speaking.next(), 1001);
    assert.deepEqual(await service.exit, [0, null]);
  });

  it("exits immediately when it is sent a second time", async (context) => {
    const service = await start(context, 3600);
    const stream = await service.speak();
    service.process.kill("SIGTERM");
    await until(async () => (await fetch(`${service.url}/health/ready`)).status === 503);
    service.process.kill("SIGTERM");
    assert.deepEqual(await service.exit, [143, null]);
    await assert.rejects(stream.arrayBuffer());
  });
});
