import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { apiError, shapeError } from "@parlance/protocol";
import { startTestServer, TEST_KEY, type TestServer } from "../testing/test-server.ts";
import { createToneSpeech, TONE_VOICES } from "../testing/tone-speech.ts";
import { errorBodyIn } from "./error-body.ts";
import { openai } from "./openai/openai.ts";
import { dialectOf, errorBodyFor } from "./registry.ts";

describe("the dialect of a request", () => {
  const nameOf = (url: string) => dialectOf({ url, headers: {} })?.name;
  it("is that of its path", () => {
    assert.equal(nameOf("/v1/tts/live?x=1"), "fish");
    assert.equal(nameOf("/v1/audio/speech"), "openai");
    assert.equal(nameOf("/compat/v1/audio/speech"), "openai");
    assert.equal(nameOf("/v1/audiobooks"), undefined);
    assert.equal(nameOf("/account/keys"), undefined);
  });

  it("gives errors its names of fields", () => {
    const wrong = apiError("invalid_value", { field: "reference_id", value: '"x"', allowed: "use another" });
    assert.deepEqual(errorBodyIn(openai, wrong), {
      error: {
        message: 'voice: "x" is not allowed, use another',
        type: "invalid_request_error",
        param: "voice",
        code: "invalid_value",
      },
    });
    const shape = shapeError([{ loc: ["text"], type: "missing", msg: "Field required", in: "body" }]);
    assert.deepEqual(errorBodyFor(shape, { url: "/v1/audio/speech", headers: {} }), {
      error: {
        message: "input: Field required",
        type: "invalid_request_error",
        param: "input",
        code: "invalid_request",
      },
    });
    assert.deepEqual(errorBodyFor(shape, { url: "/v1/tts", headers: {} }), shape.issues);
    assert.deepEqual(errorBodyFor(wrong, { url: "/account", headers: {} }), { status: 400, message: wrong.message });
  });
});

describe("requests of every dialect", () => {
  const speech = createToneSpeech();
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ speech });
  });
  after(() => server.close());

  it("may send the key in each of three headers", async () => {
    const send = async (headers: Record<string, string | undefined>) => {
      const response = await server.post(
        { text: "Hi.", format: "pcm" },
        { headers: { authorization: undefined, ...headers } },
      );
      await response.arrayBuffer();
      return response.status;
    };
    assert.equal(await send({ authorization: `Bearer ${TEST_KEY}` }), 200);
    assert.equal(await send({ authorization: `Token ${TEST_KEY}` }), 200);
    assert.equal(await send({ "xi-api-key": TEST_KEY }), 200);
    assert.equal(await send({ "xi-api-key": "wrong" }), 401);
    assert.equal(await send({ "xi-api-key": "" }), 401);
    assert.equal(await send({ authorization: "Bearer wrong", "xi-api-key": TEST_KEY }), 401);
    assert.equal(await send({}), 401);
  });

  it("get errors in the shape of the dialect, for unknown paths too", async () => {
    const response = await server.post({}, { path: "/v1/audio/nothing" });
    assert.equal(response.status, 404);
    assert.equal(response.headers.get("x-error-code"), "not_found");
    assert.deepEqual(await response.json(), {
      error: {
        message: "Not found: POST /v1/audio/nothing",
        type: "not_found_error",
        param: null,
        code: "not_found",
      },
    });
  });

  it("can name voices of other services, which an installed voice speaks", async () => {
    const response = await server.post({ text: "Hi.", format: "pcm", reference_id: "alloy" });
    assert.equal(response.status, 200);
    await response.arrayBuffer();
    assert.equal(speech.jobs.at(-1)?.request.voices[0]?.id, TONE_VOICES[0]?.id);
  });

  it("have the dialect in the log line", async () => {
    const dialects = server.log.map((line) => JSON.parse(line)).filter(({ event }) => event === "request.finished");
    assert.ok(dialects.some(({ dialect, route }) => dialect === "fish" && route === "/v1/tts"));
    assert.ok(dialects.some(({ dialect, status }) => dialect === "openai" && status === 404));
  });
});
