import assert from "node:assert/strict";
import { stat } from "node:fs/promises";
import { after, afterEach, before, describe, it } from "node:test";
import { uploads } from "../../testing/asr-client.ts";
import { addMember, type Member } from "../../testing/member.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { createToneSpeech } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";
import { burstSamples } from "../../testing/wav-file.ts";
import { connectWyoming, type ReceivedEvent, type WyomingClient } from "../../testing/wyoming-client.ts";

const FORMAT = { rate: 16_000, width: 2, channels: 1 };

function typesOf(events: readonly ReceivedEvent[]): readonly string[] {
  return events.map(({ type }) => type).filter((type, index, all) => type !== all[index - 1]);
}

function pcmOf(samples: Int16Array): Buffer {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}

describe("the Wyoming port", () => {
  const speech = createToneSpeech();
  let server: TestServer;
  const clients: WyomingClient[] = [];
  const connect = async (): Promise<WyomingClient> => {
    const client = await connectWyoming(server.wyomingPort);
    clients.push(client);
    return client;
  };
  before(async () => {
    server = await startTestServer({ speech, config: { wyomingPort: 0, wyomingAccount: "admin" } });
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.close();
    await until(() => server.activeRequests.size === 0 && server.activeRequests.connections === 0);
  });
  after(() => server.close());

  it("describes its voices and languages with the fields of the protocol", async () => {
    const client = await connect();
    client.send("describe");
    const info = await client.next();
    assert.equal(info?.type, "info");
    type Artifact = Readonly<Record<string, unknown>>;
    type Program = Artifact & { readonly voices: readonly Artifact[]; readonly models: readonly Artifact[] };
    const { tts, asr } = info.data as { readonly tts: readonly Program[]; readonly asr: readonly Program[] };
    assert.equal(tts[0]?.supports_synthesize_streaming, true);
    assert.equal(asr[0]?.supports_transcript_streaming, false);
    const artifact = ["attribution", "description", "installed", "name", "version"];
    for (const each of [tts[0], asr[0]]) for (const field of artifact) assert.ok(each && field in each, field);
    const voice = tts[0]?.voices[0];
    assert.deepEqual(Object.keys(voice ?? {}).sort(), [...artifact, "languages", "speakers"].sort());
    assert.deepEqual([voice?.name, voice?.languages], ["tone-one", ["en-US"]]);
    assert.deepEqual(asr[0]?.models[0]?.languages, ["en", "fr", "zh"]);
  });

  it("stores nothing for empty pieces of a recording, however many", async () => {
    const client = await connect();
    const piece = pcmOf(burstSamples(2, [{ start: 0.5, end: 1, level: 40 }]));
    client.send("audio-start", FORMAT);
    for (let count = 0; count < 500; count++) client.send("audio-chunk", FORMAT, Buffer.alloc(0));
    client.send("audio-chunk", FORMAT, piece);
    for (let count = 0; count < 500; count++) client.send("audio-chunk", FORMAT, Buffer.alloc(0));
    // It is answered after everything before it.
    client.send("ping");
    await client.until("pong");
    const [path = ""] = await uploads(server);
    assert.equal((await stat(path)).size, 44 + piece.length);
    client.send("audio-stop");
    assert.equal((await client.until("transcript")).at(-1)?.data.text, "40");
  });

  it("serves others while a chunk of thousands of events is handled", async () => {
    const client = await connect();
    let turns = 0;
    let isHandling = true;
    const count = (): void => {
      turns++;
      if (isHandling) setImmediate(count);
    };
    client.socket.write('{"type":"unknown"}\n'.repeat(3000));
    client.send("ping", { text: "last" });
    setImmediate(count);
    assert.equal((await client.next())?.type, "pong");
    isHandling = false;
    assert.ok(turns >= 3000, `${turns} turns`);
  });

  it("answers a ping", async () => {
    const client = await connect();
    client.send("ping", { text: "hello" });
    assert.deepEqual(await client.next(), { type: "pong", data: { text: "hello" }, payload: Buffer.alloc(0) });
  });

  it("speaks a whole text with the named voice, and more than one on a connection", async () => {
    const client = await connect();
    for (const name of ["tone-two", "tone-three"]) {
      client.send("synthesize", { text: "Good morning.", voice: { name } });
      const events = await client.until("audio-stop");
      assert.deepEqual(typesOf(events), ["audio-start", "audio-chunk", "audio-stop"]);
      assert.deepEqual(events[0]?.data, { rate: 24_000, width: 2, channels: 1, timestamp: 0 });
      assert.deepEqual(events[1]?.data, { rate: 24_000, width: 2, channels: 1, timestamp: 0 });
      const bytes = events.reduce((sum, { payload }) => sum + payload.length, 0);
      assert.equal(bytes, 3200);
      assert.equal(speech.jobs.at(-1)?.request.text, "Good morning.");
      assert.equal(speech.jobs.at(-1)?.request.voices[0]?.id.at(-1), name === "tone-two" ? "2" : "3");
    }
  });

  it("speaks pieces while more are coming, and ignores the whole text that Home Assistant sends after them", async () => {
    const client = await connect();
    client.send("synthesize-start", { voice: { language: "en_US" } });
    client.send("synthesize-chunk", { text: "The first sentence. The sec" });
    // The audio of the first sentence is there before the second one is.
    assert.deepEqual([(await client.next())?.type, (await client.next())?.type], ["audio-start", "audio-chunk"]);
    client.send("synthesize-chunk", { text: "ond one." });
    client.send("synthesize", { text: "The first sentence. The second one." });
    client.send("synthesize-stop");
    const rest = await client.until("synthesize-stopped");
    assert.deepEqual(typesOf(rest), ["audio-chunk", "audio-stop", "synthesize-stopped"]);
    assert.equal(rest[0]?.data.timestamp, Math.round(1600 / 24));
    assert.equal(speech.jobs.at(-1)?.request.text, "The first sentence. The second one.");
  });

  it("speaks nothing for an empty text", async () => {
    const client = await connect();
    client.send("synthesize", { text: "" });
    assert.deepEqual(typesOf(await client.until("audio-stop")), ["audio-start", "audio-stop"]);
    client.send("synthesize-start");
    client.send("synthesize-stop");
    assert.deepEqual(typesOf(await client.until("synthesize-stopped")), [
      "audio-start",
      "audio-stop",
      "synthesize-stopped",
    ]);
  });

  it("transcribes a recording in the order of Home Assistant's events", async () => {
    const client = await connect();
    const pcm = pcmOf(burstSamples(2, [{ start: 0.5, end: 1, level: 40 }]));
    for (const language of ["fr", "en-US"]) {
      client.send("transcribe", { language });
      client.send("audio-start", FORMAT);
      for (let at = 0; at < pcm.length; at += 2048) {
        client.send("audio-chunk", FORMAT, pcm.subarray(at, at + 2048));
      }
      client.send("audio-stop");
      const transcript = await client.next();
      assert.deepEqual(transcript?.data, { text: "40", language: language.slice(0, 2) });
      assert.equal(transcript?.type, "transcript");
    }
  });

  it("transcribes a single short word, and returns no text for a recording without audio", async () => {
    const client = await connect();
    client.send("audio-chunk", FORMAT, pcmOf(burstSamples(0.3, [{ start: 0.1, end: 0.2, level: 25 }])));
    client.send("audio-stop");
    assert.equal((await client.next())?.data.text, "25");
    client.send("audio-start", FORMAT);
    client.send("audio-stop");
    assert.equal((await client.next())?.data.text, "");
  });

  it("answers a client that closes its side after the last event", async () => {
    const client = await connect();
    client.send("synthesize", { text: "Good evening." });
    client.socket.end();
    assert.equal((await client.until("audio-stop")).length, 3);
    assert.equal(await client.next(), undefined);
  });

  it("reports an error and closes the connection, because clients wait for an answer", async () => {
    const refused: readonly (readonly [string, object, string])[] = [
      ["synthesize", { text: "x", voice: { name: "nobody" } }, "unknown_voice"],
      ["synthesize", { text: 5 }, "unreadable_frame"],
      ["synthesize", { text: "x".repeat(30_001) }, "text_too_long"],
      ["audio-start", { rate: 100, width: 2, channels: 1 }, "invalid_value"],
      ["audio-start", {}, "invalid_value"],
    ];
    for (const [type, data, code] of refused) {
      const client = await connect();
      client.send(type, data);
      const [error] = await client.until("error");
      assert.equal(error?.data.code, code);
      assert.equal(await client.next(), undefined, "closed");
    }
    const client = await connect();
    client.send("transcribe", { language: "xx" });
    client.send("audio-start", FORMAT);
    assert.equal((await client.until("error"))[0]?.data.code, "invalid_value");
  });

  it("stops the work of a client that disconnects", async () => {
    const client = await connect();
    client.send("synthesize-start");
    client.send("synthesize-chunk", { text: "A sentence. And mo" });
    await client.until("audio-chunk");
    client.socket.resetAndDestroy();
    await until(() => speech.jobs.at(-1)?.ended === true);
    const line = server.log.map((each) => JSON.parse(each)).findLast((each) => each.route === "wyoming/synthesize");
    assert.equal(line.status, 499);
  });

  it("writes one log line for each request, with the account that it acts as", async () => {
    const before = server.log.length;
    const client = await connect();
    client.send("synthesize", { text: "Good morning." });
    await client.until("audio-stop");
    await until(() => server.log.length > before);
    const line = JSON.parse(server.log.at(-1) ?? "");
    assert.equal(line.event, "request.finished");
    assert.deepEqual([line.method, line.route, line.status], ["TCP", "wyoming/synthesize", 200]);
    assert.deepEqual([line.userId, line.operation, line.characters], [server.adminId, "live", 13]);
    const headers = { authorization: "Bearer test-key-0123456789abcdef" };
    const traces = await (await fetch(`${server.url}/account/traces`, { headers })).text();
    assert.ok(traces.includes('"route":"TCP wyoming/synthesize"'));
  });
});

describe("the account of the Wyoming port", () => {
  let server: TestServer;
  let member: Member;
  const speech = createToneSpeech({ before: (_part, signal) => gate(signal) });
  let gate: (signal: AbortSignal) => Promise<void> | void = () => {};
  before(async () => {
    const email = "home@example.org";
    server = await startTestServer({
      speech,
      config: { wyomingPort: 0, wyomingAccount: email, concurrency: 1 },
      parts: { disabledPollMs: 20 },
    });
    const client = await connectWyoming(server.wyomingPort);
    client.send("synthesize", { text: "x" });
    assert.equal((await client.until("error"))[0]?.data.code, "unknown_user");
    member = await addMember(server);
    await server.store.users.update(member.id, { email }, new Date().toISOString());
  });
  after(() => server.close());

  it("pays for the text and for the recording", async () => {
    const [before] = await member.balances();
    const client = await connectWyoming(server.wyomingPort);
    client.send("synthesize", { text: "Twelve bytes" });
    await client.until("audio-stop");
    const [afterText] = await member.balances();
    assert.equal(before - afterText, 12);
    client.send("audio-start", FORMAT);
    client.send("audio-chunk", FORMAT, pcmOf(burstSamples(2, [])));
    client.send("audio-stop");
    await client.until("transcript");
    const [afterRecording] = await member.balances();
    assert.ok(afterRecording < afterText);
    await client.close();
  });

  it("has the limits of its plan", async () => {
    let open = (): void => {};
    gate = () =>
      new Promise((resolve) => {
        open = resolve;
      });
    const [first, second] = [await connectWyoming(server.wyomingPort), await connectWyoming(server.wyomingPort)];
    const jobs = speech.jobs.length;
    first.send("synthesize", { text: "Held." });
    await until(() => speech.jobs.length > jobs);
    second.send("audio-start", FORMAT);
    assert.equal((await second.until("error"))[0]?.data.code, "concurrency_limited");
    gate = () => {};
    open();
    await first.until("audio-stop");
    await first.close();
  });

  it("ends what it has running when it is disabled", async () => {
    gate = (signal) => new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    const client = await connectWyoming(server.wyomingPort);
    const jobs = speech.jobs.length;
    client.send("synthesize", { text: "Held." });
    await until(() => speech.jobs.length > jobs);
    await server.store.users.update(member.id, { disabledAt: new Date().toISOString() }, new Date().toISOString());
    assert.equal((await client.until("error"))[0]?.data.code, "account_disabled");
    const next = await connectWyoming(server.wyomingPort);
    next.send("synthesize", { text: "x" });
    assert.equal((await next.until("error"))[0]?.data.code, "account_disabled");
  });
});

describe("the settings of the Wyoming port", () => {
  it("are off by default, and need an account", async (context) => {
    const server = await startTestServer();
    context.after(() => server.close());
    assert.equal(server.wyomingPort, undefined);
    await assert.rejects(startTestServer({ config: { wyomingPort: 0 } }), /PARLANCE_WYOMING_ACCOUNT/);
  });
});

describe("the shutdown", () => {
  it("closes idle connections, lets a text finish, and refuses new ones", async () => {
    let open = (): void => {};
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    const speech = createToneSpeech({ before: () => held });
    const config = { wyomingPort: 0, wyomingAccount: "admin", drainSeconds: 30 };
    const server = await startTestServer({ speech, config });
    const [idle, busy] = [await connectWyoming(server.wyomingPort), await connectWyoming(server.wyomingPort)];
    busy.send("synthesize", { text: "A last sentence." });
    await until(() => speech.jobs.length === 1 && server.activeRequests.connections === 2);
    const closed = server.close();
    assert.equal(await idle.next(), undefined);
    open();
    assert.equal((await busy.until("audio-stop")).length, 3);
    assert.equal(await busy.next(), undefined);
    await closed;
  });
});
