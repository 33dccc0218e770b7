import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, it, type TestContext } from "node:test";
import { readConfig } from "../config/config.ts";
import { readAddress } from "../lib/address-file.ts";
import { createLog } from "../telemetry/log.ts";
import { createBurstTranscription } from "../testing/burst-transcription.ts";
import { connectLive } from "../testing/live-client.ts";
import { runScript } from "../testing/run-script.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { createToneSpeech, type ToneOptions } from "../testing/tone-speech.ts";
import { startServer } from "./server.ts";

const engines = (options: ToneOptions = {}) => ({
  speech: createToneSpeech(options),
  transcription: createBurstTranscription(),
});

async function start(context: TestContext, options: ToneOptions, drainSeconds = 3600) {
  const data = await temporaryFolder(context);
  const config = { ...readConfig({}).config, data, port: 0, drainSeconds };
  const server = await startServer({ config, ...engines(options), log: createLog("silent") });
  context.after(() => server.close());
  const key = server.bootstrap.freshKey ?? assert.fail("no key at the first start");
  const headers = { authorization: `Bearer ${key}` };
  return { server, speak: () => speak(server.url, key), live: () => connectLive(server.url, { headers }) };
}

const speak = (url: string, key: string) =>
  fetch(`${url}/v1/tts`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, model: "s2-pro", "content-type": "application/json" },
    body: JSON.stringify({ text: "a", format: "pcm" }),
  });

describe("start", { timeout: 60_000 }, () => {
  it("keeps the address for commands, the public one where it is set", async (context) => {
    const data = await temporaryFolder(context);
    for (const publicUrl of ["https://voice.example.org", undefined]) {
      const config = { ...readConfig({}).config, data, port: 0, publicUrl };
      const server = await startServer({ config, ...engines(), log: createLog("silent") });
      context.after(() => server.close());
      assert.equal(await readAddress(data), publicUrl ?? server.url);
    }
    assert.equal(await readAddress(join(data, "missing")), undefined);
  });
});

describe("shutdown", () => {
  it("finishes active requests and refuses new ones", async (context) => {
    let open = (): void => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const { server, speak } = await start(context, { before: (part) => (part === 0 ? undefined : gate) });
    const response = await speak();
    assert.equal(response.status, 200);
    const closed = server.close();
    for (const refused of [await speak(), await fetch(`${server.url}/health/ready`)]) {
      assert.equal(refused.status, 503);
      assert.equal(refused.headers.get("x-error-code"), "draining");
      assert.ok(Number(refused.headers.get("retry-after")) > 0);
    }
    assert.equal((await fetch(`${server.url}/health/live`)).status, 200, "it answers while a request is active");
    open();
    assert.equal((await response.arrayBuffer()).byteLength, 3 * 3200);
    await closed;
    await assert.rejects(fetch(`${server.url}/health/live`));
    await server.close();
  });

  it("aborts active requests after the drain time, and the client sees an incomplete response", async (context) => {
    const { server, speak } = await start(
      context,
      {
        before: (part, signal) =>
          part === 0 ? undefined : new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
      },
      0,
    );
    const response = await speak();
    const read = assert.rejects(response.arrayBuffer());
    await server.close();
    await read;
  });

  it("closes live sockets with 1001 and does not wait for clients that do not answer", async (context) => {
    const { server, live } = await start(context, {}, 1);
    const [idle, unresponsive] = [await live(), await live()];
    unresponsive.socket.pause();
    const closed = server.close();
    assert.equal(await idle.next(), 1001);
    await closed;
    unresponsive.socket.terminate();
  });

  it("exits with 0 after SIGTERM, and the active stream is complete", async (context) => {
    process.env.PARLANCE_DATA = await temporaryFolder(context);
    process.env.PARLANCE_PORT = "0";
    process.env.PARLANCE_DRAIN_SECONDS = "3600";
    const script = runScript("serve-tone.ts");
    context.after(() => script.kill("SIGKILL"));
    const [line] = (await once(createInterface(script.stdout), "line")) as [string];
    const { url, key } = JSON.parse(line) as { url: string; key: string };
    const response = await speak(url, key);
    const exit = once(script, "exit");
    script.kill("SIGTERM");
    assert.equal((await response.arrayBuffer()).byteLength, 10 * 3200);
    assert.deepEqual(await exit, [0, null]);
  });
});

it("a port in use stops the start and leaves nothing open", async (context) => {
  const { server } = await start(context, {});
  const data = await temporaryFolder(context);
  const config = { ...readConfig({}).config, data, port: server.port };
  await assert.rejects(startServer({ config, ...engines(), log: createLog("silent") }), {
    code: "EADDRINUSE",
  });
});
