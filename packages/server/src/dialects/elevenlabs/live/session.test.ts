import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import type { KeyScope } from "@parlance/protocol";
import fc from "fast-check";
import { fuzzRuns } from "../../../testing/fuzz-runs.ts";
import { connectJson, type JsonMessage, type JsonSocket } from "../../../testing/json-socket.ts";
import { mutated } from "../../../testing/mutated-bytes.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../../testing/test-server.ts";
import { createToneSpeech } from "../../../testing/tone-speech.ts";
import { until } from "../../../testing/until.ts";
import { LATE_KEY_LIMITS } from "../../fish/live/late-key.ts";

describe("the sockets of ElevenLabs", () => {
  const speech = createToneSpeech();
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ speech });
  });
  afterEach(() => until(() => server.activeRequests.size === 0 && server.activeRequests.connections === 0));
  after(() => server.close());
  const connect = (path: string, key = TEST_KEY): Promise<JsonSocket> =>
    connectJson(`${server.url}/v1/text-to-speech/${path}`, { "xi-api-key": key });
  const audioOf = (messages: readonly JsonMessage[]): Buffer =>
    Buffer.concat(messages.map(({ audio }) => Buffer.from(typeof audio === "string" ? audio : "", "base64")));
  const charsOf = (messages: readonly JsonMessage[]): string =>
    messages.flatMap(({ alignment }) => (alignment as { readonly chars: string[] } | null)?.chars ?? []).join("");

  it("speak one text while it is being written, with the times of its characters", async () => {
    const client = await connect("tone-two/stream-input?output_format=pcm_16000&model_id=eleven_flash_v2_5");
    client.send({ text: " ", voice_settings: { speed: 1.1, stability: 0.5 }, generation_config: {} });
    client.send({ text: "The first. ", try_trigger_generation: true });
    const first = await client.next();
    assert.ok(typeof first === "object");
    client.send({ text: "The second" }, { text: ".", flush: true }, { text: "" });
    const { messages, code } = await client.rest();
    assert.equal(code, 1000);
    assert.deepEqual(messages.at(-1), { isFinal: true });
    assert.equal(audioOf([first, ...messages]).length, 6400);
    assert.equal(charsOf([first, ...messages]), "The first. The second.");
    const { charStartTimesMs, charDurationsMs } = first.alignment as Record<string, number[]>;
    assert.equal(charStartTimesMs?.[0], 0);
    assert.equal(charStartTimesMs?.length, charDurationsMs?.length);
    assert.deepEqual(first.normalizedAlignment, first.alignment);
    const { request } = speech.jobs.at(-1) ?? {};
    assert.deepEqual([request?.speed, request?.voices[0]?.id.at(-1)], [1.1, "2"]);
  });

  it("speak several texts at a time, each with its id", async () => {
    const client = await connect("tone-one/multi-stream-input?output_format=pcm_16000");
    for (const id of ["a", "b"]) {
      client.send({ text: " ", voice_settings: {}, context_id: id }, { text: `Text ${id} `, context_id: id });
    }
    client.send({ text: "is this. ", context_id: "a" }, { text: "", context_id: "a" });
    client.send({ text: "is that.", context_id: "b", flush: true });
    for (const context_id of ["a", "b", "unknown"]) client.send({ context_id, close_context: true });
    const found = new Map<string, JsonMessage[]>();
    while ([...found.values()].filter((all) => all.at(-1)?.isFinal === true).length < 2) {
      const message = await client.next();
      assert.ok(typeof message === "object");
      found.set(String(message.contextId), [...(found.get(String(message.contextId)) ?? []), message]);
    }
    assert.equal(charsOf(found.get("a") ?? []), "Text a is this. ");
    assert.equal(charsOf(found.get("b") ?? []), "Text b is that.");
    client.send({ text: "Again.", context_id: "a" }, { close_socket: true });
    const { messages, code } = await client.rest();
    assert.deepEqual([charsOf(messages), messages.at(-1)?.isFinal, code], ["Again.", true, 1000]);
  });

  it("report an error: of a context to that context, of a socket with one text before they close", async () => {
    const multi = await connect("nobody/multi-stream-input?output_format=pcm_16000");
    multi.send({ text: "Hello.", context_id: "a" }, { context_id: "a", close_context: true });
    const error = await multi.next();
    assert.ok(typeof error === "object");
    assert.deepEqual([error.error, error.contextId], ["unknown_voice", "a"]);
    await multi.close();
    for (const [path, messages, code] of [
      ["nobody/stream-input?output_format=pcm_16000", [{ text: "Hello. " }], "unknown_voice"],
      ["tone-one/stream-input?output_format=wrong", [{ text: "Hello. " }], "invalid_value"],
      ["tone-one/stream-input?output_format=pcm_16000", [{ text: 5 }], "invalid_request"],
      ["tone-one/stream-input?output_format=pcm_16000", [{ text: "x".repeat(30_001) }], "text_too_long"],
    ] as const) {
      const client = await connect(path);
      client.send(...messages);
      const end = await client.rest();
      assert.deepEqual([end.messages.at(-1)?.error, end.code], [code, 1008], path);
    }
    const many = await connect("tone-one/multi-stream-input?output_format=pcm_16000");
    for (let id = 0; id < 6; id += 1) many.send({ text: "Open", context_id: String(id) });
    assert.equal((await many.rest()).messages.at(-1)?.error, "invalid_value");
  });

  it("take the key in the first message or in the address, from clients that cannot set headers", async () => {
    const anonymous = (path: string) => connectJson(`${server.url}/v1/text-to-speech/tone-one/${path}`, {});
    for (const first of [{ xi_api_key: TEST_KEY }, { authorization: `Bearer ${TEST_KEY}` }]) {
      const client = await anonymous("stream-input?output_format=pcm_16000");
      client.send({ text: " ", voice_settings: null, ...first }, { text: "Some words. " }, { text: "" });
      const { messages, code } = await client.rest();
      assert.deepEqual([charsOf(messages), messages.at(-1), code], ["Some words. ", { isFinal: true }, 1000]);
    }
    for (const query of [`xi-api-key=${TEST_KEY}`, `authorization=${encodeURIComponent(`Bearer ${TEST_KEY}`)}`]) {
      const client = await anonymous(`multi-stream-input?output_format=pcm_16000&${query}`);
      client.send({ text: "Some words. ", context_id: "a", voice_settings: { speed: null } }, { close_socket: true });
      assert.equal(charsOf((await client.rest()).messages), "Some words. ");
    }
    assert.ok(!server.log.some((line) => line.includes(TEST_KEY)));
  });

  it("take a key with scopes in these places where it may speak", async () => {
    const keyWith = async (...scopes: readonly KeyScope[]): Promise<string> =>
      (await server.keys.create(server.adminId, "limited", undefined, scopes)).secret;
    const path = "/v1/text-to-speech/tone-one/stream-input?output_format=pcm_16000";
    const [speak, listen] = [await keyWith("speak"), await keyWith("listen")];
    for (const [query, first] of [
      ["", { xi_api_key: speak }],
      [`&xi-api-key=${speak}`, {}],
    ] as const) {
      const client = await connectJson(server.url + path + query, {});
      client.send({ text: " ", ...first }, { text: "Some words. " }, { text: "" });
      assert.equal(charsOf((await client.rest()).messages), "Some words. ");
    }
    const client = await connectJson(server.url + path, {});
    client.send({ text: " ", xi_api_key: listen });
    assert.equal((await client.rest()).messages.at(-1)?.error, "scope_missing");
    await assert.rejects(connectJson(`${server.url}${path}&xi-api-key=${listen}`, {}), /403/);
  });

  it("refuse a first message without a valid key, and only a few clients may be about to send one", async () => {
    const anonymous = (address?: string) =>
      connectJson(`${server.url}/v1/text-to-speech/tone-one/stream-input`, {}, address);
    for (const [message, code] of [
      [{ text: "Hello." }, "missing_api_key"],
      [{ text: " ", xi_api_key: "wrong" }, "invalid_api_key"],
      [{ xi_api_key: 5 }, "invalid_request"],
      [{ text: "x".repeat(400_000), xi_api_key: TEST_KEY }, "unreadable_frame"],
    ] as const) {
      const client = await anonymous();
      client.send(message);
      const end = await client.rest();
      assert.deepEqual([end.messages.at(-1)?.error, end.code], [code, 1008], code);
    }
    await assert.rejects(connectJson(`${server.url}/v1/text-to-speech/x/stream-input?xi-api-key=wrong`, {}), /401/);
    const waiting = await Promise.all(Array.from({ length: LATE_KEY_LIMITS.sockets }, () => anonymous()));
    await assert.rejects(anonymous(), /429/);
    // They keep no other address out.
    await (await anonymous("127.0.0.2")).close();
    for (const { socket } of waiting) socket.terminate();
    await until(() => server.activeRequests.connections === 0);
    await (await anonymous()).close();
  });

  it("close when no key comes in time", async (context) => {
    const impatient = await startTestServer({ speech, parts: { lateKeyMs: 50 } });
    context.after(() => impatient.close());
    const client = await connectJson(`${impatient.url}/v1/text-to-speech/tone-one/stream-input`, {});
    const { messages, code } = await client.rest();
    assert.deepEqual([messages.at(-1)?.error, code], ["missing_api_key", 1008]);
    await until(() => impatient.activeRequests.connections === 0);
  });

  it("are refused without a key, in the shape of the dialect", async () => {
    await assert.rejects(connect("tone-one/stream-input", "wrong"), /401/);
    await assert.rejects(connect("tone-one/other-input"), /404/);
  });

  it("survive any messages, and leave no slot and no work behind", async (context) => {
    const limited = await startTestServer({ speech, config: { concurrency: 2 } });
    context.after(() => limited.close());
    const id = fc.constantFrom("a", "b", null, undefined);
    const message = fc.oneof(
      { weight: 20, arbitrary: fc.record({ text: fc.constantFrom("Words. ", "half", " ", ""), context_id: id }) },
      { weight: 4, arbitrary: fc.record({ context_id: id, close_context: fc.boolean(), flush: fc.boolean() }) },
      { weight: 1, arbitrary: fc.record({ text: fc.string({ unit: "binary" }), context_id: id }) },
      { weight: 1, arbitrary: fc.jsonValue() },
    );
    const path = fc.constantFrom("stream-input", "multi-stream-input");
    const json = message.map((value) => Buffer.from(JSON.stringify(value)));
    const frame = fc.oneof(
      { weight: 60, arbitrary: json.map((data) => ({ data, binary: false })) },
      { weight: 1, arbitrary: fc.record({ data: mutated(json), binary: fc.boolean() }) },
    );
    const sent = fc.array(frame, { maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(
        path,
        sent,
        fc.constantFrom("end", "terminate"),
        fc.nat(3),
        async (kind, frames, ending, way) => {
          const url = `${limited.url}/v1/text-to-speech/tone-one/${kind}?output_format=pcm_16000`;
          // Some clients send the key with the first message.
          const client = await connectJson(url, way > 0 ? { "xi-api-key": TEST_KEY } : {});
          if (way === 0) client.send({ text: " ", xi_api_key: TEST_KEY });
          for (const { data, binary } of frames) client.socket.send(data, { binary });
          if (ending === "terminate") client.socket.terminate();
          else {
            client.send({ text: "", close_socket: true });
            await client.rest();
          }
          await until(() => limited.activeRequests.size === 0 && limited.activeRequests.connections === 0);
          assert.ok(speech.jobs.every((job) => job.ended));
        },
      ),
      { numRuns: fuzzRuns(50), seed: 12, endOnFailure: true },
    );
    assert.ok(!limited.log.some((line) => line.includes('"request.failed"')));
  });
});
