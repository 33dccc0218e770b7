import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import fc from "fast-check";
import { authorization, recording, uploads } from "../../testing/asr-client.ts";
import { fuzzRuns } from "../../testing/fuzz-runs.ts";
import { mutated } from "../../testing/mutated-bytes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { createToneSpeech } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";

const speech = createToneSpeech({ samplesPerPart: 200 });
let server: TestServer;
before(async () => {
  server = await startTestServer({ speech, config: { concurrency: 2 } });
});
after(() => server.close());

/** Refused in the shape of the dialect, or served; never a fault, and nothing is left behind. */
async function assertAnswered(response: Response): Promise<void> {
  const text = await response.text();
  assert.ok(response.status < 500, `${response.status} ${text.slice(0, 300)}`);
  if (response.status >= 400) {
    const { error } = JSON.parse(text);
    assert.deepEqual(Object.keys(error), ["message", "type", "param", "code"]);
    assert.equal(error.code, response.headers.get("x-error-code"));
  }
  await until(() => server.activeRequests.size === 0);
  assert.ok(speech.jobs.every((job) => job.ended));
}

describe("POST /v1/audio/speech with random bodies", () => {
  // The tone engine has no encoders for other formats.
  const response_format = fc.oneof(fc.constantFrom("pcm", "wav"), fc.string(), fc.anything());
  const any = { maxDepth: 2 };
  const body = fc.record(
    {
      input: fc.oneof(fc.string({ unit: "binary" }), fc.anything(any)),
      model: fc.oneof(fc.string(), fc.anything(any)),
      voice: fc.oneof(
        fc.constantFrom("alloy", "tone-one", "__proto__", "constructor"),
        fc.record({ id: fc.string() }),
        fc.anything(any),
      ),
      response_format: response_format.filter((value) => value !== null && value !== "" && value !== undefined),
      speed: fc.oneof(fc.double(), fc.anything(any)),
      stream_format: fc.oneof(fc.constantFrom("audio", "sse"), fc.anything(any)),
      instructions: fc.anything(any),
    },
    { requiredKeys: ["response_format"] },
  );
  const bytes = fc.oneof(
    { weight: 10, arbitrary: body.map((value) => Buffer.from(encode(value))) },
    { weight: 1, arbitrary: fc.anything().map((value) => Buffer.from(encode(value))) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 100 }).map((each) => Buffer.from(each)) },
  );

  it("never fails, and leaves nothing behind", async () => {
    const path = fc.constantFrom("/v1/audio/speech", "/compat/v1/audio/speech");
    await fc.assert(
      fc.asyncProperty(mutated(bytes), path, async (given, route) => {
        // A format that was changed into one without an encoder is not what is tested here.
        if (/"(mp3|opus|aac|flac|ulaw|alaw)"/.test(given.toString()) || !given.toString().includes("response_format"))
          return;
        const headers = { authorization, "content-type": "application/json" };
        await assertAnswered(
          await fetch(server.url + route, { method: "POST", headers, body: Uint8Array.from(given) }),
        );
      }),
      { numRuns: fuzzRuns(80), endOnFailure: true },
    );
  });
});

describe("POST /v1/audio/transcriptions and /v1/audio/translations with random forms", () => {
  const text = fc.string({ unit: "binary", maxLength: 200 });
  const field = fc.oneof(
    fc.tuple(
      fc.constant("response_format"),
      fc.oneof(fc.constantFrom("json", "text", "srt", "vtt", "verbose_json"), text),
    ),
    fc.tuple(fc.constant("timestamp_granularities[]"), fc.oneof(fc.constantFrom("word", "segment"), text)),
    fc.tuple(fc.constant("stream"), fc.oneof(fc.constantFrom("true", "false"), text)),
    fc.tuple(fc.constantFrom("model", "language", "prompt", "temperature", "keywords[]", "__proto__", "file"), text),
    fc.tuple(text, text),
  );
  const form = fc.tuple(fc.array(field, { maxLength: 8 }), fc.integer({ min: 0, max: 2 }), fc.boolean());

  it("never fail, and leave no upload behind", async () => {
    const path = fc.constantFrom("transcriptions", "translations");
    const prefix = fc.constantFrom("/v1", "/compat/v1");
    await fc.assert(
      fc.asyncProperty(
        form,
        mutated(fc.constant(Buffer.from(recording))),
        prefix,
        path,
        async (parts, file, base, route) => {
          const [fields, files, named] = parts;
          const data = new FormData();
          for (const [name, value] of fields) data.append(name, value);
          for (let count = 0; count < files; count += 1) {
            data.append("file", new Blob([Uint8Array.from(file)]), named ? "speech.wav" : "");
          }
          const url = `${server.url}${base}/audio/${route}`;
          await assertAnswered(await fetch(url, { method: "POST", headers: { authorization }, body: data }));
          assert.deepEqual(await uploads(server), []);
        },
      ),
      { numRuns: fuzzRuns(60), endOnFailure: true },
    );
  });

  it("refuse broken multipart bodies", async () => {
    const whole = Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-1\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.wav"\r\n\r\n${Buffer.from(recording).toString("latin1")}\r\n--b--\r\n`,
      "latin1",
    );
    await fc.assert(
      fc.asyncProperty(mutated(fc.constant(whole)), async (body) => {
        const headers = { authorization, "content-type": "multipart/form-data; boundary=b" };
        const url = `${server.url}/v1/audio/transcriptions`;
        await assertAnswered(await fetch(url, { method: "POST", headers, body: Uint8Array.from(body) }));
        assert.deepEqual(await uploads(server), []);
      }),
      { numRuns: fuzzRuns(30), endOnFailure: true },
    );
  });
});

describe("GET with random names", () => {
  it("finds a model or none", async () => {
    const name = fc
      .oneof(fc.string({ unit: "binary" }), fc.constantFrom("__proto__", "%00", "tts-1"))
      // Clients turn a dot or two into another path.
      .filter((each) => !/^\.*$/.test(each));
    await fc.assert(
      fc.asyncProperty(name, async (given) => {
        const path = encodeURIComponent(given.replace(/[\ud800-\udfff]/g, "?"));
        const response = await fetch(`${server.url}/v1/models/${path}?x=${path}`, { headers: { authorization } });
        await assertAnswered(response);
      }),
      { numRuns: fuzzRuns(30), endOnFailure: true },
    );
  });
});

/** Values without a form in JSON are left out. */
function encode(value: unknown): string {
  try {
    return JSON.stringify(value, (_key, each) => (typeof each === "bigint" ? String(each) : each)) ?? "null";
  } catch {
    return "null";
  }
}
