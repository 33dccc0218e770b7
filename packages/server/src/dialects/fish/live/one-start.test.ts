import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { DEFAULT_PLANS } from "@parlance/protocol";
import { SpeechError } from "@parlance/speech";
import { readConfig } from "../../../config/config.ts";
import { connectLive, type LiveClient } from "../../../testing/live-client.ts";
import { addMember } from "../../../testing/member.ts";
import { serveToneSpeech } from "../../../testing/serve-tone-speech.ts";
import { TEST_KEY } from "../../../testing/test-server.ts";
import { until } from "../../../testing/until.ts";

/** A client that sends `start` once for its connection, and then only text and flush, turn after turn. */

const start = { event: "start", request: { text: "", format: "pcm" } };
const flush = { event: "flush" };
const text = (piece: string) => ({ event: "text", text: piece });
const PART_BYTES = 3200;

/** One turn: text and flush, and the audio of it. */
async function speaks(client: LiveClient, piece: string): Promise<void> {
  client.send(text(piece), flush);
  let bytes = 0;
  while (bytes < PART_BYTES) {
    const item = await client.next();
    assert.ok(typeof item === "object" && item.event === "audio", `${piece}: ${JSON.stringify(item)}`);
    bytes += item.audio.length;
  }
}

async function topUp(url: string, accountId: string): Promise<void> {
  const grant = await fetch(`${url}/admin/wallet/${accountId}/grants`, {
    method: "POST",
    headers: { authorization: `Bearer ${TEST_KEY}`, "content-type": "application/json" },
    body: JSON.stringify({ amount: 1000, reference: "top-up" }),
  });
  assert.ok(grant.ok, `${grant.status} ${await grant.text()}`);
}

describe("a socket with one start", () => {
  it("speaks turn after turn in one round", async (context) => {
    const { server } = await serveToneSpeech(context);
    const client = await connectLive(server.url);
    client.send(start);
    for (let turn = 0; turn < 50; turn += 1) await speaks(client, `Turn ${turn}.`);
    await client.close();
  });

  it("speaks again after its round was stopped, without a new start", async (context) => {
    const { server } = await serveToneSpeech(context);
    const client = await connectLive(server.url);
    client.send(start);
    for (let turn = 0; turn < 5; turn += 1) {
      await speaks(client, `Turn ${turn}.`);
      client.send({ event: "stop" });
      assert.equal((await client.round()).finish.reason, "stop");
    }
    await client.close();
  });

  it("speaks again after each error, whatever it was", async (context) => {
    let fails = false;
    const { server } = await serveToneSpeech(context, {
      before: () => {
        if (fails) throw new SpeechError("overloaded", "no slot is free", 1);
      },
    });
    const client = await connectLive(server.url);
    client.send(start);
    for (let turn = 0; turn < 6; turn += 1) {
      await speaks(client, `Turn ${turn}.`);
      fails = true;
      client.send(text("Not spoken."), flush);
      assert.equal((await client.round()).finish.reason, "error");
      fails = false;
    }
    await speaks(client, "The last turn.");
    await client.close();
  });

  it("speaks again after a top-up", async (context) => {
    const plans = { ...DEFAULT_PLANS, free: { ...DEFAULT_PLANS.free, credits: 20 } };
    const { server } = await serveToneSpeech(context, {}, { config: { plans } });
    const member = await addMember(server);
    const client = await connectLive(server.url, { headers: member.headers });
    client.send(start);
    await speaks(client, "Twelve bytes");
    client.send(text("More than is left."), flush);
    const { finish } = await client.round();
    assert.match(finish.message ?? "", /credit/i);
    await topUp(server.url, member.id);
    await speaks(client, "There is credit again.");
    await client.close();
  });

  it("speaks on one socket after a pause, an error, a busy moment and a top-up", async (context) => {
    const plans = { ...DEFAULT_PLANS, free: { ...DEFAULT_PLANS.free, credits: 60 } };
    let before: () => Promise<void> | void = () => {};
    const { server, speech } = await serveToneSpeech(
      context,
      { before: () => before() },
      {
        config: { plans, concurrency: 1 },
        parts: { timeouts: { engineTimeoutMs: 1500, readerTimeoutMs: 1500 }, pingMs: 50 },
      },
    );
    const member = await addMember(server);
    const client = await connectLive(server.url, { headers: member.headers });
    client.send(start);
    await speaks(client, "Turn one.");

    // The open round waits for text for longer than an engine or a reader may be silent.
    for (let pings = 0; pings < 50; pings += 1) await once(client.socket, "ping");
    await speaks(client, "Turn two.");

    before = () => {
      throw new SpeechError("failed", "the engine is broken");
    };
    client.send(text("Not spoken."), flush);
    assert.equal((await client.round()).finish.reason, "error");
    before = () => {};
    await speaks(client, "Turn three.");

    await until(() => server.activeRequests.size === 0, { timeoutMs: 30_000 });
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    before = () => held;
    const other = server.post({ text: "Held.", format: "pcm" }, { headers: member.headers });
    await until(() => speech.jobs.some(({ request }) => request.text === "Held."));
    client.send(text("Busy."), flush);
    assert.match((await client.round()).finish.message ?? "", /at a time/);
    before = () => {};
    release();
    await (await other).arrayBuffer();
    await speaks(client, "Turn four.");

    client.send(text("More characters than the credits that are left for them."), flush);
    assert.match((await client.round()).finish.message ?? "", /credit/i);
    await topUp(server.url, member.id);
    await speaks(client, "Turn five.");
    await client.close();
  });

  it("may wait for text for half an hour", () => {
    assert.equal(readConfig({}).config.liveIdleSeconds, 30 * 60);
  });

  it("is answered once for the text that it sent before it knew of an error", async (context) => {
    let fails = true;
    const { server, speech } = await serveToneSpeech(context, {
      before: () => {
        if (fails) throw new SpeechError("failed", "the engine is broken");
      },
    });
    const client = await connectLive(server.url);
    client.send(start, ...Array.from({ length: 40 }, (_, token) => text(`Token ${token}. `)));
    assert.equal((await client.round()).finish.reason, "error");
    fails = false;
    await speaks(client, "Again.");
    assert.equal(speech.jobs.length, 2);
    await client.close();
  });

  it("holds no slot while it has no text", async (context) => {
    const { server } = await serveToneSpeech(context, {}, { config: { concurrency: 1 } });
    const idle: LiveClient[] = [];
    for (let count = 0; count < 2; count += 1) {
      // The slot of the last turn is released some time after its audio.
      const client = await until(() => connectLive(server.url).catch(() => undefined), { timeoutMs: 30_000 });
      client.send(start);
      await speaks(client, "Hello.");
      idle.push(client);
    }
    const response = await until(
      async () => {
        const answer = await server.post({ text: "Over HTTP.", format: "pcm" });
        await answer.arrayBuffer();
        return answer.status === 200 ? answer : undefined;
      },
      { timeoutMs: 30_000 },
    );
    assert.equal(response.headers.get("ratelimit-current-concurrency"), "1");
    for (const client of idle) await client.close();
  });

  it("is closed after many rounds without audio, and others are served meanwhile", async (context) => {
    const { server } = await serveToneSpeech(context);
    const warnings: string[] = [];
    const onWarning = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", onWarning);
    context.after(() => process.off("warning", onWarning));
    const client = await connectLive(server.url);
    for (let count = 0; count < 2000; count += 1) client.send(start);
    let [finishes, code] = [0, 0];
    while (code === 0) {
      const item = await client.next();
      if (typeof item === "number") code = item;
      else finishes += 1;
    }
    assert.equal(code, 1008);
    assert.ok(finishes < 60, `${finishes} answers`);
    assert.deepEqual(warnings, [], "more listeners than are expected");
    assert.equal((await server.post({ text: "a", format: "pcm" })).status, 200);
  });

  it("does not delay a shutdown while its round is idle", async (context) => {
    const { server } = await serveToneSpeech(context);
    const client = await connectLive(server.url);
    client.send(start);
    await speaks(client, "Hello.");
    await until(() => server.activeRequests.size === 0, { timeoutMs: 30_000 });
    server.activeRequests.drain();
    assert.deepEqual((await client.round()).finish, { event: "finish", reason: "stop" });
    assert.equal(await client.next(), 1001);
  });
});
