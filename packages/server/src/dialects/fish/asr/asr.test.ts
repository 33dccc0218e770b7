import assert from "node:assert/strict";
import { once } from "node:events";
import { dirname } from "node:path";
import { after, before, describe, it } from "node:test";
import { encodeMessagePack, LIMITS } from "@parlance/protocol";
import { form, head, raw, recording, send, uploads } from "../../../testing/asr-client.ts";
import { type BurstTranscription, createBurstTranscription } from "../../../testing/burst-transcription.ts";
import { startTestServer, type TestServer } from "../../../testing/test-server.ts";
import { until } from "../../../testing/until.ts";
import { wavFile } from "../../../testing/wav-file.ts";

const transcript = {
  text: "20 80",
  duration: 2,
  segments: [
    { text: "20", start: 0.25, end: 0.5 },
    { text: "80", start: 1.1, end: 1.9 },
  ],
  language: "English",
  language_code: "en",
};

describe("POST /v1/asr", () => {
  let transcription: BurstTranscription;
  let server: TestServer;
  before(async () => {
    transcription = createBurstTranscription();
    server = await startTestServer({ transcription, config: { concurrency: 5 } });
  });
  after(async () => {
    assert.deepEqual(await uploads(server), [], "no recording is left behind");
    await server.close();
  });

  const lastAsked = () => transcription.jobs.at(-1)?.request ?? assert.fail("nothing was asked");

  it("gives the same response for multipart and for MessagePack under each of its types", async () => {
    const multipart = await send(server, form(recording));
    assert.equal(multipart.status, 200);
    assert.match(multipart.headers.get("content-type") ?? "", /^application\/json/);
    assert.match(multipart.headers.get("x-trace-id") ?? "", /^[0-9a-f]{32}$/);
    assert.equal(multipart.headers.get("ratelimit-limit-concurrency"), "5");
    assert.equal(multipart.headers.get("ratelimit-current-concurrency"), "1");
    assert.deepEqual(await multipart.json(), transcript);
    for (const type of ["application/msgpack", "application/x-msgpack", "application/vnd.msgpack"]) {
      const packed = await send(server, encodeMessagePack({ audio: recording }), { headers: { "content-type": type } });
      assert.deepEqual(await packed.json(), transcript);
    }
  });

  it("passes every option to the recognizer, from both encodings", async () => {
    const options = { language: "fr-CA", granularity: "word" };
    const headers = { model: "whisper" };
    for (const body of [form(recording, options), encodeMessagePack({ ...options, audio: recording })]) {
      const { language } = (await (await send(server, body, { headers })).json()) as typeof transcript;
      assert.equal(language, "French");
      const { path, onProgress: _onProgress, onDecoded: _onDecoded, trace: _trace, ...rest } = lastAsked();
      // What is decoded lies where the recording does: a folder that is swept after a crash.
      const workFolder = dirname(path);
      const owner = server.adminId;
      assert.deepEqual(rest, { owner, workFolder, engine: "whisper", language: "fr", granularity: "word" });
    }
    await send(server, form(recording, { language: "zh-TW" }));
    assert.deepEqual([lastAsked().language, lastAsked().script], ["zh", "Hant"]);
    await send(server, form(recording, { language: "", extra: "ignored" }));
    assert.equal(lastAsked().language, undefined);
  });

  it("leaves segments out when timestamps are to be ignored, in multipart only by the string true", async () => {
    const segments = async (body: FormData | Uint8Array<ArrayBuffer>) =>
      ((await (await send(server, body)).json()) as typeof transcript).segments.length;
    assert.equal(await segments(form(recording, { ignore_timestamps: "true" })), 0);
    for (const value of ["false", "True", "1"]) {
      assert.equal(await segments(form(recording, { ignore_timestamps: value })), 2, value);
    }
    assert.equal(await segments(encodeMessagePack({ audio: recording, ignore_timestamps: true })), 0);
    assert.equal(await segments(encodeMessagePack({ audio: recording, ignore_timestamps: false })), 2);
  });

  it("accepts fields before and after the file, and a recording without a file name", async () => {
    const part = (headers: string, body: Uint8Array | string) =>
      Buffer.concat([Buffer.from(`--b\r\n${headers}\r\n\r\n`), Buffer.from(body), Buffer.from("\r\n")]);
    const body = Buffer.concat([
      part('Content-Disposition: form-data; name="language"', "fr"),
      part('Content-Disposition: form-data; name="notes"; filename="notes.txt"', "not the recording"),
      part('Content-Disposition: form-data; name="audio"\r\nContent-Type: audio/wav', recording),
      part('Content-Disposition: form-data; name="granularity"', "word"),
      Buffer.from("--b--\r\n"),
    ]);
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    const response = await send(server, new Uint8Array(body), { headers });
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { ...transcript, language: "French", language_code: "fr" });
    assert.equal(lastAsked().granularity, "word");
  });

  it("responds with an empty text to a recording without speech", async () => {
    const response = await send(server, form(wavFile(new Int16Array(16_000), 16_000)));
    assert.deepEqual(await response.json(), {
      text: "",
      duration: 1,
      segments: [],
      language: null,
      language_code: null,
    });
  });

  const refused: readonly (readonly [string, FormData | Uint8Array<ArrayBuffer>, number, string, RegExp])[] = [
    [
      "an unknown language",
      form(recording, { language: "xx" }),
      400,
      "invalid_value",
      /^language: "xx" .* en, fr, zh$/,
    ],
    ["another granularity", form(recording, { granularity: "x" }), 400, "invalid_value", /^granularity: "x"/],
    ["what is no audio", form(new Uint8Array(5000)), 400, "audio_undecodable", /^audio: it cannot be decoded, /],
    ["an empty file", form(new Uint8Array(0)), 400, "audio_undecodable", /the file is empty$/],
    [
      "less than a second",
      form(wavFile(new Int16Array(15_999), 16_000)),
      400,
      "audio_too_short",
      /^audio: 0\.999 s is too short, .* at least 1 s$/,
    ],
    [
      "bytes that are text",
      encodeMessagePack({ audio: "text" }),
      422,
      "invalid_request",
      /"loc":\["audio"\].*bytes_type/,
    ],
    ["no recording", form(undefined), 422, "invalid_request", /"loc":\["audio"\],"type":"missing"/],
    ["an empty field for one", form(undefined, { audio: "" }), 422, "invalid_request", /"type":"missing"/],
    ["no recording, packed", encodeMessagePack({ language: "en" }), 422, "invalid_request", /"type":"missing"/],
    ["a list", encodeMessagePack([1]), 422, "invalid_request", /"loc":\["body"\],"type":"object_type"/],
    ["half a map", encodeMessagePack({ audio: recording }).slice(0, 500), 422, "invalid_request", /msgpack_invalid/],
    ["a wrong type", encodeMessagePack({ audio: recording, language: 5 }), 422, "invalid_request", /string_type/],
    ["a huge field", form(recording, { note: "x".repeat(5000) }), 413, "payload_too_large", /limit/],
  ];
  for (const [name, body, status, code, message] of refused) {
    it(`refuses ${name} with ${status}`, async () => {
      const response = await send(server, body);
      const text = await response.text();
      assert.equal(response.status, status, text);
      assert.equal(response.headers.get("x-error-code"), code);
      const answer = JSON.parse(text) as { message: string } | readonly unknown[];
      if (status !== 422) assert.deepEqual(Object.keys(answer).sort(), ["message", "status"]);
      assert.match("message" in answer ? answer.message : text, message);
    });
  }

  it("refuses a second recording with 422, in both encodings", async () => {
    const twice = form(recording);
    twice.append("audio", new Blob([recording]), "again.wav");
    const entry = Buffer.concat([encodeMessagePack("audio"), encodeMessagePack(recording)]);
    const packed = new Uint8Array(Buffer.concat([Uint8Array.of(0x82), entry, entry]));
    for (const body of [twice, packed]) {
      const response = await send(server, body);
      assert.equal(response.status, 422);
      assert.deepEqual(await response.json(), [
        { loc: ["audio"], type: "too_many", msg: "One recording per request", in: "body" },
      ]);
    }
  });

  it("refuses a model that does not exist and lists those that do", async () => {
    const response = await send(server, form(recording), { headers: { model: "s2-pro" } });
    assert.equal(response.status, 400);
    assert.match(await response.text(), /s2-pro.*transcribe-1, moonshine, whisper/);
  });

  it("responds 415 to other content types and names its own", async () => {
    for (const type of ["application/json", "audio/wav", "application/x-www-form-urlencoded", "text/plain"]) {
      const response = await send(server, recording, { headers: { "content-type": type } });
      assert.equal(response.status, 415, type);
      assert.match(await response.text(), /multipart\/form-data or application\/msgpack/);
    }
  });

  it("responds 422 to invalid multipart", async () => {
    for (const [type, body] of [
      ["multipart/form-data", "x"],
      ["multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=audio"],
      ["multipart/form-data; boundary=b", "nothing of the kind"],
      [
        "multipart/form-data; boundary=b",
        '--b\r\nContent-Disposition: form-data; name="constructor"\r\n\r\nx\r\n--b--',
      ],
      ["multipart/form-data; boundary=b", ""],
    ] as const) {
      const response = await send(server, body, { headers: { "content-type": type } });
      assert.equal(response.status, 422, `${type} ${body}: ${await response.text()}`);
    }
  });

  it("accepts a file of exactly the limit and refuses one byte more, in both encodings", async () => {
    const file = (bytes: number) => wavFile(new Int16Array((bytes - 44) / 2), 16_000);
    const whole = file(LIMITS.asrFileBytes);
    assert.equal(whole.length, 20 * 1024 * 1024);
    const more = new Uint8Array(whole.length + 1);
    more.set(whole);
    for (const pack of [
      (audio: Uint8Array<ArrayBuffer>) => form(audio),
      (audio: Uint8Array) => encodeMessagePack({ audio }),
    ]) {
      assert.equal((await send(server, pack(whole))).status, 200);
      const refusal = await send(server, pack(more));
      assert.equal(refusal.status, 413);
      assert.equal(refusal.headers.get("x-error-code"), "audio_too_large");
      assert.deepEqual(await refusal.json(), {
        status: 413,
        message: "audio: the file is over the limit of 20971520 bytes",
      });
    }
  });

  it("refuses a body whose announced length is too large before it arrives", async () => {
    const { socket, answer } = raw(server);
    socket.write(head(`Content-Type: application/msgpack\r\nContent-Length: ${LIMITS.asrBodyBytes + 1}`));
    socket.once("data", () => socket.end());
    assert.match(await answer, /^HTTP\/1\.1 413 /);
  });

  it("refuses an endless body without a length", async () => {
    const { socket, answer } = raw(server);
    socket.write(head("Content-Type: multipart/form-data; boundary=b\r\nTransfer-Encoding: chunked"));
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(65_536), Buffer.from("\r\n")]);
    let answered = false;
    socket.once("data", () => {
      answered = true;
      socket.destroy();
    });
    let sent = 0;
    for (; !answered && sent < 2000; sent += 1) {
      if (!socket.write(chunk)) await Promise.race([once(socket, "drain"), once(socket, "close")]);
    }
    assert.match(await answer, /^HTTP\/1\.1 413 /);
    assert.ok(sent < 2000, `${sent} chunks`);
  });

  it("lets a client that still sends read the error, and accepts the next request on the same connection", async () => {
    const { socket, answer } = raw(server);
    const body = encodeMessagePack({ audio: new Uint8Array(LIMITS.asrFileBytes + 500_000) });
    socket.write(head(`Content-Type: application/msgpack\r\nContent-Length: ${body.length}`));
    socket.write(body);
    socket.write("GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const text = await answer;
    assert.match(text, /^HTTP\/1\.1 413 /);
    assert.match(text, /HTTP\/1\.1 200 OK/);
  });

  it("refuses an unknown key before reading the body, and lets the client read the error", async () => {
    const response = await send(server, form(new Uint8Array(15_000_000)), { headers: { authorization: "Bearer no" } });
    assert.equal(response.status, 401);
    assert.equal((await send(server, form(recording))).status, 200);
  });

  it("logs neither the recording nor its transcript", async () => {
    const answer = await send(server, form(recording));
    await answer.json();
    const logged = () => server.log.find((each) => each.includes(`"traceId":"${answer.headers.get("x-trace-id")}"`));
    await until(() => logged() !== undefined);
    const line = JSON.parse(logged() ?? "{}") as Record<string, unknown>;
    assert.deepEqual([line.route, line.status, line.audioSeconds], ["/v1/asr", 200, 2]);
    assert.doesNotMatch(server.log.join(""), /20 80|speech\.wav/);
  });
});
