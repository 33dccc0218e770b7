import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it, type TestContext } from "node:test";
import { DEFAULT_PLANS, encodeMessagePack } from "@parlance/protocol";
import { SpeechError } from "@parlance/speech";
import { WebSocket } from "ws";
import type { Config } from "../../config/config.ts";
import { connectLive } from "../../testing/live-client.ts";
import { addMember } from "../../testing/member.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { createToneSpeech, type ToneOptions } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";
import { wavFile } from "../../testing/wav-file.ts";

const PACKAGE = 100;
const plans = { ...DEFAULT_PLANS, free: { ...DEFAULT_PLANS.free, credits: PACKAGE } };

async function setUp(
  context: TestContext,
  { config = {}, ...tone }: ToneOptions & { readonly config?: Partial<Config> } = {},
) {
  const speech = createToneSpeech({ parts: 10, splitText: true, ...tone });
  const server = await startTestServer({ speech, config: { plans, ...config } });
  context.after(() => server.close());
  const member = await addMember(server);
  const post = (body: unknown, path = "/v1/tts", signal?: AbortSignal) =>
    server.post(body, { path, headers: member.headers, ...(signal === undefined ? {} : { signal }) });
  const kinds = async () =>
    (await server.store.ledger.listOf(member.id, { limit: 100 }))
      .toReversed()
      .map(({ kind, amount }) => [kind, amount]);
  return { speech, server, member, post, kinds };
}

describe("speech is paid for", () => {
  for (const path of ["/v1/tts", "/v1/tts/stream/with-timestamp"]) {
    it(`by the byte, before it ends: ${path}`, async (context) => {
      const { post, member, server, kinds } = await setUp(context);
      const answer = await post({ text: "Grüße, 😀!", format: "pcm" }, path);
      assert.equal(answer.status, 200);
      await answer.arrayBuffer();
      // Without waiting: the charge is in the ledger when the response is complete.
      assert.deepEqual(await server.store.reservations.ofUser(member.id), []);
      assert.deepEqual(await member.balances(), [PACKAGE - 14, 0]);
      assert.deepEqual(await kinds(), [
        ["refill", PACKAGE],
        ["reserve", -14],
        ["settle", 0],
      ]);
      const traceId = answer.headers.get("x-trace-id") ?? "?";
      // The log has it a moment later.
      const logged = () => server.log.map((each) => JSON.parse(each)).find((each) => each.traceId === traceId);
      await until(() => logged() !== undefined);
      assert.equal(logged().credits, 14);
      const [entry] = await server.store.ledger.listOf(member.id, { limit: 1 });
      assert.ok(entry?.requestId.startsWith(traceId));
    });
  }

  it("only when there is enough, and refused before any work", async (context) => {
    const { post, member, speech } = await setUp(context);
    const answer = await post({ text: "x".repeat(101), format: "pcm" });
    assert.equal(answer.status, 402);
    assert.equal(answer.headers.get("x-error-code"), "insufficient_balance");
    assert.deepEqual(await answer.json(), {
      status: 402,
      message: "Not enough credit: this costs 101 credits, 100 are left",
    });
    assert.equal(speech.jobs.length, 0);
    assert.deepEqual(await member.balances(), [PACKAGE, 0]);
  });

  it("not when there is no text, even with an empty wallet", async (context) => {
    const { post, member } = await setUp(context, {
      config: { plans: { ...plans, free: { ...plans.free, credits: 0 } } },
    });
    assert.equal((await post({ text: "a", format: "pcm" })).status, 402);
    assert.equal((await post({ text: "", format: "pcm" })).status, 200);
    assert.deepEqual(await member.balances(), [0, 0]);
  });

  it("not at all where the price is zero", async (context) => {
    const prices = { textByte: 0, transcribedSecond: 0 };
    const { post, kinds } = await setUp(context, { config: { prices } });
    assert.equal((await post({ text: "x".repeat(1000), format: "pcm" })).status, 200);
    assert.deepEqual(await kinds(), []);
  });

  it("not when a value is wrong", async (context) => {
    const { post, kinds } = await setUp(context);
    assert.equal((await post({ text: "hello", format: "midi" })).status, 400);
    assert.equal((await post({ text: "hello", reference_id: "nobody" })).status, 400);
    assert.equal((await post({ text: 5 })).status, 422);
    assert.deepEqual(await kinds(), []);
  });

  it("as far as it was made when the client disconnects", async (context) => {
    let hold = false;
    const { post, member, speech } = await setUp(context, {
      before: async (part, signal) => {
        if (part < 3) return;
        hold = true;
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    const disconnect = new AbortController();
    const answer = await post({ text: "x".repeat(50), format: "pcm" }, "/v1/tts", disconnect.signal);
    assert.equal(answer.status, 200);
    await until(() => hold);
    assert.deepEqual([speech.jobs[0]?.parts], [3]);
    disconnect.abort();
    assert.deepEqual(await member.balances(), [PACKAGE - 15, 0]);
  });

  it("not when it fails before the first sound", async (context) => {
    const { post, member, kinds } = await setUp(context, {
      before: () => {
        throw new SpeechError("overloaded", "full", 3);
      },
    });
    assert.equal((await post({ text: "hello", format: "pcm" })).status, 503);
    assert.deepEqual((await kinds()).at(-1), ["refund", 5]);
    assert.deepEqual(await member.balances(), [PACKAGE, 0]);
  });

  it("not when the server fails", async (context) => {
    const { post, member } = await setUp(context, {
      before: (part) => {
        if (part === 4) throw new SpeechError("failed", "a worker died");
      },
    });
    const answer = await post({ text: "x".repeat(50), format: "pcm" });
    await assert.rejects(answer.arrayBuffer());
    assert.deepEqual(await member.balances(), [PACKAGE, 0]);
  });

  it("not when the server is stopped in the middle", async (context) => {
    const { post, member, server } = await setUp(context, {
      before: (part, signal) =>
        part < 3 ? undefined : new Promise((resolve) => signal.addEventListener("abort", () => resolve())),
    });
    const answer = await post({ text: "x".repeat(50), format: "pcm" });
    server.activeRequests.abortAll(new Error("the server is shutting down"));
    await assert.rejects(answer.arrayBuffer());
    assert.deepEqual(await member.balances(), [PACKAGE, 0]);
  });

  it("never beyond the balance, with any number of concurrent requests", async (context) => {
    const { post, member } = await setUp(context, { config: { concurrency: 50 } });
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const answer = await post({ text: "x".repeat(30), format: "pcm" });
        await answer.arrayBuffer();
        return answer.status;
      }),
    );
    assert.equal(answers.filter((status) => status === 200).length, 3);
    assert.equal(answers.filter((status) => status === 402).length, 17);
    assert.deepEqual(await member.balances(), [10, 0]);
  });
});

describe("live speech is paid for", () => {
  const start = { event: "start", request: { text: "", format: "pcm", sample_rate: 16000 } };

  it("chunk by chunk, before the round is finished", async (context) => {
    const { server, member, kinds } = await setUp(context);
    const client = await connectLive(server.url, { headers: member.headers });
    client.send(start, { event: "text", text: "One. Two. " }, { event: "text", text: "Three" }, { event: "stop" });
    assert.equal((await client.round()).finish.reason, "stop");
    assert.deepEqual(await server.store.reservations.ofUser(member.id), []);
    assert.deepEqual(await member.balances(), [PACKAGE - 15, 0]);
    assert.deepEqual(
      (await kinds()).filter(([kind]) => kind === "reserve"),
      [
        ["reserve", -5],
        ["reserve", -5],
        ["reserve", -5],
      ],
    );
    await client.close();
  });

  it("until the credit runs out, which ends the round with the reason", async (context) => {
    const { server, member } = await setUp(context);
    const client = await connectLive(server.url, { headers: member.headers });
    const sentence = `${"x".repeat(58)}. `;
    client.send(start, { event: "text", text: sentence + sentence }, { event: "stop" });
    const { finish, frames } = await client.round();
    assert.deepEqual(finish, {
      event: "finish",
      reason: "error",
      message: "Not enough credit: this costs 60 credits, 40 are left",
    });
    assert.ok(frames.length > 0);
    assert.deepEqual(await member.balances(), [40, 0]);
    // What is left can still be spent on the same socket.
    client.send(start, { event: "text", text: "x".repeat(40) }, { event: "stop" });
    assert.equal((await client.round()).finish.reason, "stop");
    assert.deepEqual(await member.balances(), [0, 0]);
    await client.close();
  });

  it("or refused at the upgrade when no credit is left", async (context) => {
    const { server, member } = await setUp(context, {
      config: { plans: { ...plans, free: { ...plans.free, credits: 0 } } },
    });
    const socket = new WebSocket(`${server.url.replace("http", "ws")}/v1/tts/live`, { headers: member.headers });
    const [, response] = await once(socket, "unexpected-response");
    assert.equal(response.statusCode, 402);
    assert.equal(response.headers["x-error-code"], "insufficient_balance");
    socket.on("error", () => {});
    socket.terminate();
  });

  it("as far as it was made when the client disconnects", async (context) => {
    let held = false;
    const { server, member } = await setUp(context, {
      before: async (part, signal) => {
        if (part < 2) return;
        held = true;
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    });
    const client = await connectLive(server.url, { headers: member.headers });
    client.send(start, { event: "text", text: "One. Two. Three. Four. " }, { event: "flush" });
    await until(() => held);
    client.socket.terminate();
    assert.deepEqual(await member.balances(), [PACKAGE - 10, 0]);
  });

  it("not for a chunk that fails", async (context) => {
    const { server, member } = await setUp(context, {
      before: (part) => {
        if (part === 1) throw new SpeechError("failed", "a worker died");
      },
    });
    const client = await connectLive(server.url, { headers: member.headers });
    client.send(start, { event: "text", text: "One. Two. Three. " }, { event: "stop" });
    assert.equal((await client.round()).finish.reason, "error");
    assert.deepEqual(await member.balances(), [PACKAGE - 5, 0]);
    await client.close();
  });
});

describe("transcription is paid for", () => {
  const recording = (seconds: number) => wavFile(new Int16Array(16_000 * seconds).fill(9000), 16_000);
  const msgpack = { "content-type": "application/msgpack" };

  it("by the started second, and refused before the recognition", async (context) => {
    const { server, member } = await setUp(context);
    const send = (seconds: number) =>
      server.post(encodeMessagePack({ audio: recording(seconds) }), {
        path: "/v1/asr",
        headers: { ...member.headers, ...msgpack, model: undefined },
      });
    assert.equal((await send(3.2)).status, 200);
    assert.deepEqual(await member.balances(), [PACKAGE - 28, 0]);
    const refused = await send(11);
    assert.equal(refused.status, 402);
    assert.match(await refused.text(), /this costs 77 credits, 72 are left/);
    assert.deepEqual(await member.balances(), [PACKAGE - 28, 0]);
    assert.equal((await send(0.5)).status, 400);
    assert.deepEqual(await member.balances(), [PACKAGE - 28, 0]);
  });
});
