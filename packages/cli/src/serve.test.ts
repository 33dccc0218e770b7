import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { installModels } from "./testing/models.ts";
import { startServe } from "./testing/start-serve.ts";
import { listening } from "./testing/wait-for.ts";

let folder: string;

describe("parlance serve", () => {
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "parlance-serve-"));
    await installModels("kokoro-q8", "piper-libritts");
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it("prints an API key once, with which a request gets an mp3, and shuts down cleanly", async () => {
    const first = startServe(folder);
    const url = await listening(first);
    const key = /export PARLANCE_API_KEY=(\S+)/.exec(first.stderr())?.[1];
    assert.ok(key, first.stderr());
    const response = await fetch(`${url}/v1/tts`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, model: "s2-pro", "content-type": "application/json" },
      body: JSON.stringify({ text: "Hello!" }),
    });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "audio/mpeg");
    assert.ok((await response.arrayBuffer()).byteLength > 4000);
    first.process.kill("SIGINT");
    assert.equal((await first.ended).code, 0, first.stderr());

    const second = startServe(folder, { PARLANCE_KOKORO: "off" });
    const quiet = await fetch(`${await listening(second)}/v1/tts`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, model: "kokoro", "content-type": "application/json" },
      body: JSON.stringify({ text: "Hello!" }),
    });
    assert.equal(quiet.status, 400, "without Kokoro, only Piper is used");
    second.process.kill("SIGTERM");
    assert.equal((await second.ended).code, 0, second.stderr());
    assert.ok(!second.stderr().includes("PARLANCE_API_KEY"));
  });

  it("reports a port in use and suggests another", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await startServe(folder, {}, port).ended;
    other.close();
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`parlance: port ${port} of 127\\.0\\.0\\.1 is in use; choose another`));
  });
});
