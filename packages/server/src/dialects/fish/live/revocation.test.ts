import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { asAdmin, signedIn } from "../../../testing/account-client.ts";
import { connectLive } from "../../../testing/live-client.ts";
import { startTestServer } from "../../../testing/test-server.ts";
import { createToneSpeech } from "../../../testing/tone-speech.ts";
import { until } from "../../../testing/until.ts";

const round = [{ event: "start", request: { text: "Hello.", format: "pcm" } }, { event: "stop" }];

/** A member with a key on a server whose speech continues until it is stopped. */
async function setUp(context: TestContext, options: Parameters<typeof startTestServer>[0] = {}) {
  const server = await startTestServer(options);
  context.after(() => server.close());
  const { id, cookie } = await signedIn(server);
  const { secret, record } = await server.keys.create(id, "key");
  return { server, id, cookie, secret, record };
}

/** Begins to speak and never ends by itself. */
const endless = () =>
  createToneSpeech({
    before: (part, signal) =>
      part === 0 ? undefined : new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
  });

describe("an open live socket", { timeout: 600_000 }, () => {
  it("continues until the next start after its key was revoked, and gets the reason", async (context) => {
    const { server, secret, record } = await setUp(context);
    const client = await connectLive(server.url, { headers: { authorization: `Bearer ${secret}` } });
    client.send(...round);
    assert.equal((await client.round()).finish.reason, "stop");
    await server.keys.revoke(record.id);
    client.send(...round);
    const { frames, finish } = await client.round();
    assert.deepEqual(
      [frames.length, finish],
      [0, { event: "finish", reason: "error", message: "This API key has been revoked" }],
    );
    assert.equal(await client.next(), 1008);
  });

  it("cannot start a first round with a key that was revoked after the upgrade", async (context) => {
    const { server, secret, record } = await setUp(context);
    const client = await connectLive(server.url, { headers: { authorization: `Bearer ${secret}` } });
    await server.keys.revoke(record.id);
    client.send(...round);
    assert.equal((await client.round()).finish.reason, "error");
    assert.equal(await client.next(), 1008);
    const fresh = await connectLive(server.url);
    assert.equal(fresh.headers["ratelimit-current-concurrency"], "1", "the place was given back");
    await fresh.close();
  });

  it("is refused the next start when its key has expired", async (context) => {
    const { server, id } = await setUp(context);
    const { secret } = await server.keys.create(id, "short", new Date(Date.now() + 1500));
    const client = await connectLive(server.url, { headers: { authorization: `Bearer ${secret}` } });
    const message = await until(async () => {
      client.send(...round);
      return (await client.round()).finish.message;
    });
    assert.equal(message, "This API key has expired");
    assert.equal(await client.next(), 1008);
  });

  it("of a session is refused the next start after the sign-out", async (context) => {
    const { server, cookie } = await setUp(context);
    const headers = { authorization: undefined, cookie, origin: server.url };
    const client = await connectLive(server.url, { headers });
    client.send(...round);
    assert.equal((await client.round()).finish.reason, "stop");
    const out = await fetch(`${server.url}/account/sign-out`, {
      method: "POST",
      headers: { cookie, "sec-fetch-site": "same-origin" },
    });
    assert.equal(out.status, 204);
    client.send(...round);
    assert.equal((await client.round()).finish.message, "The session has ended: sign in again");
    assert.equal(await client.next(), 1008);
  });
});

describe("an account that is disabled", { timeout: 600_000 }, () => {
  it("loses its active streams and sockets at once, and others keep theirs", async (context) => {
    const { server, id, secret } = await setUp(context, { speech: endless() });
    const authorization = `Bearer ${secret}`;
    const other = await server.post({ text: "a", format: "pcm" });
    const stream = await server.post({ text: "a", format: "pcm" }, { headers: { authorization } });
    assert.equal(stream.status, 200);
    const read = assert.rejects(stream.arrayBuffer());
    const speaking = await connectLive(server.url, { headers: { authorization } });
    speaking.send({ event: "start", request: { text: "Hello. ".repeat(50), format: "pcm" } });
    const resting = await connectLive(server.url, { headers: { authorization } });

    assert.equal((await asAdmin(server, "PATCH", `/admin/users/${id}`, { disabled: true })).status, 200);
    await read;
    for (const client of [speaking, resting]) {
      let item = await client.next();
      while (typeof item !== "number" && item.event === "audio") item = await client.next();
      assert.deepEqual(item, { event: "finish", reason: "error", message: "This account is disabled" });
      assert.equal(await client.next(), 1008);
    }
    const refused = await server.post({ text: "a" }, { headers: { authorization } });
    assert.equal(refused.headers.get("x-error-code"), "account_disabled");
    const { value } = (await other.body?.getReader().read()) ?? {};
    assert.ok(value && value.length > 0);
    await until(() => server.activeRequests.size === 1);
  });

  it("by another process loses them soon after that", async (context) => {
    const { server, id, secret } = await setUp(context, { speech: endless(), parts: { disabledPollMs: 10 } });
    const authorization = `Bearer ${secret}`;
    const stream = await server.post({ text: "a", format: "pcm" }, { headers: { authorization } });
    const client = await connectLive(server.url, { headers: { authorization } });
    // As the command line does it, in another process.
    await server.store.users.update(id, { disabledAt: new Date().toISOString() }, new Date().toISOString());
    await assert.rejects(stream.arrayBuffer());
    assert.deepEqual(await client.next(), {
      event: "finish",
      reason: "error",
      message: "This account is disabled",
    });
    assert.equal(await client.next(), 1008);
  });
});
