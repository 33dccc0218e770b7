import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { authorization, recording, uploads } from "../testing/asr-client.ts";
import { type BurstJob, createBurstTranscription } from "../testing/burst-transcription.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { until } from "../testing/until.ts";

/** A way to have a recording transcribed, and the response when it takes long. */
interface Route {
  readonly path: string;
  /** The field of the form that the recording is in. Without it, the recording is the body. */
  readonly file?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly type: RegExp;
  readonly body: RegExp;
  /** The body when the work fails, where its format can state that. Elsewhere the connection ends. */
  readonly failure?: RegExp;
}

const json = { type: /^application\/json/, body: /^ +\{.*20 80.*\}$/s };
const openai = { path: "/v1/audio/transcriptions", file: "file" };
const plain = /^text\/plain/;
const ROUTES: Readonly<Record<string, Route>> = {
  "POST /v1/asr": { path: "/v1/asr", file: "audio", ...json },
  "POST /v1/audio/transcriptions": { ...openai, ...json },
  "POST /v1/audio/translations": { path: "/v1/audio/translations", file: "file", ...json },
  "POST /v1/audio/transcriptions as verbose_json": { ...openai, fields: { response_format: "verbose_json" }, ...json },
  "POST /v1/audio/transcriptions as text": {
    ...openai,
    fields: { response_format: "text" },
    type: plain,
    body: /^\n+20 80\n$/,
  },
  "POST /v1/audio/transcriptions as srt": {
    ...openai,
    fields: { response_format: "srt" },
    type: plain,
    body: /^\n+1\n00:00:00,250 --> .*80\n$/s,
  },
  "POST /v1/audio/transcriptions as vtt": {
    ...openai,
    fields: { response_format: "vtt" },
    type: plain,
    body: /^WEBVTT\n\n+00:00:00\.250 --> .*80\n$/s,
  },
  "POST /v1/audio/transcriptions as events": {
    ...openai,
    fields: { stream: "true" },
    type: /^text\/event-stream/,
    body: /^(:\n\n)+data: \{"type":"transcript\.text\.delta".*"transcript\.text\.done".*\}\n\n$/s,
    failure:
      /^(:\n\n)+data: \{"type":"error","error":\{"message":"[^"]+","type":"server_error",.*"code":"internal"\}\}\n\n$/,
  },
  "POST /v1/speech-to-text": { path: "/v1/speech-to-text", file: "file", ...json },
  "POST /v1/listen": { path: "/v1/listen", ...json },
};

function bodyOf({ file, fields = {} }: Route): FormData | Uint8Array<ArrayBuffer> {
  if (file === undefined) return recording;
  const form = new FormData();
  form.append(file, new Blob([recording]), "speech.wav");
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

function send(server: TestServer, route: Route, signal?: AbortSignal): Promise<Response> {
  const type = route.file === undefined ? { "content-type": "audio/wav" } : {};
  return fetch(server.url + route.path, {
    method: "POST",
    headers: { authorization, ...type },
    body: bodyOf(route),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Each job waits until it is finished by hand, or its client has left. */
function createHeldJobs() {
  const held: { release: () => void; fail: (error: Error) => void }[] = [];
  const beforeJob = ({ signal }: BurstJob) =>
    new Promise<void>((resolve, reject) => {
      held.push({ release: resolve, fail: reject });
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  return { beforeJob, held };
}

describe("transcripts that take long", () => {
  const { beforeJob, held } = createHeldJobs();
  const transcription = createBurstTranscription({ before: beforeJob });
  const timeouts = { engineTimeoutMs: 60_000, readerTimeoutMs: 60_000, keepAliveMs: 20 };
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ transcription, config: { concurrency: 1 }, parts: { timeouts } });
  });
  after(() => server.close());
  const uploadsAreRemoved = () => until(async () => (await uploads(server)).length === 0);
  /** The one slot of the account is free. */
  async function nextIsAccepted(route: Route): Promise<void> {
    const next = await send(server, route);
    assert.equal(next.status, 200);
    held.at(-1)?.release();
    assert.match(await next.text(), route.body);
  }

  for (const [name, route] of Object.entries(ROUTES)) {
    it(`${name}: the response begins before the transcript is there`, async () => {
      const response = await send(server, route);
      assert.equal(response.status, 200);
      assert.match(response.headers.get("content-type") ?? "", route.type);
      held.at(-1)?.release();
      assert.match(await response.text(), route.body);
      await uploadsAreRemoved();
    });

    it(`${name}: a failure after that is stated or ends the connection, is logged, and releases the slot`, async () => {
      const response = await send(server, route);
      const lines = server.log.length;
      held.at(-1)?.fail(new Error("the model is broken"));
      if (route.failure === undefined) await assert.rejects(response.text());
      else assert.match(await response.text(), route.failure);
      await until(() => server.log.slice(lines).some((line) => /"request\.failed".*the model is broken/.test(line)));
      await uploadsAreRemoved();
      await nextIsAccepted(route);
    });

    it(`${name}: a client that leaves after that ends the work and releases the slot`, async () => {
      const leaving = new AbortController();
      const response = await send(server, route, leaving.signal);
      assert.equal(transcription.jobs.at(-1)?.ended, false);
      leaving.abort();
      await assert.rejects(response.text());
      await until(() => transcription.jobs.at(-1)?.ended === true);
      await uploadsAreRemoved();
      await nextIsAccepted(route);
    });
  }
});

describe("a transcript that fails at once", () => {
  it("is answered with an error in JSON, whatever format was requested", async () => {
    const transcription = createBurstTranscription({ before: () => Promise.reject(new Error("the model is broken")) });
    const server = await startTestServer({ transcription });
    after(() => server.close());
    for (const [name, route] of Object.entries(ROUTES)) {
      const response = await send(server, route);
      assert.equal(response.status, 500, name);
      assert.match(response.headers.get("content-type") ?? "", /^application\/json/, name);
      assert.ok(await response.json(), name);
    }
    const logged = server.log.filter((line) => line.includes('"request.failed"'));
    assert.equal(logged.length, Object.keys(ROUTES).length);
  });
});
