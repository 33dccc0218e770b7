import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { SpeechError } from "@parlance/speech";
import { authorization, recording, uploads } from "../../testing/asr-client.ts";
import { createBurstTranscription } from "../../testing/burst-transcription.ts";
import { addMember } from "../../testing/member.ts";
import { serveToneSpeech } from "../../testing/serve-tone-speech.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { createToneSpeech, TONE_VOICES } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";

const speech = createToneSpeech();
const transcription = createBurstTranscription();
let server: TestServer;
before(async () => {
  server = await startTestServer({ speech, transcription });
});
after(() => server.close());

const speak = (body: unknown, path = "/v1/audio/speech") => server.post(body, { path, headers: { model: undefined } });

function transcribe(fields: Record<string, string | readonly string[]>, path = "/v1/audio/transcriptions") {
  const form = new FormData();
  form.append("file", new Blob([recording]), "speech.wav");
  for (const [name, value] of Object.entries(fields)) for (const each of [value].flat()) form.append(name, each);
  return fetch(server.url + path, { method: "POST", headers: { authorization }, body: form });
}

const get = (path: string, headers: Record<string, string> = { authorization }) =>
  fetch(server.url + path, { headers });

/** The data of each event. */
const eventsOf = (text: string): Record<string, unknown>[] =>
  text
    .split("\n\n")
    .filter((event) => event !== "")
    .map((event) => JSON.parse(event.replace(/^data: /, "")));

interface OpenAiError {
  readonly message: string;
  readonly type: string;
  readonly param: string | null;
  readonly code: string;
}

async function errorOf(response: Response): Promise<OpenAiError & { readonly status: number }> {
  const { error } = (await response.json()) as { error: OpenAiError };
  assert.equal(response.headers.get("x-error-code"), error.code);
  return { status: response.status, ...error };
}

describe("POST /v1/audio/speech", () => {
  it("speaks as pcm at 24 kHz, with the same audio as the native route", async () => {
    const response = await speak({ input: "Hello there.", model: "tts-1", voice: "alloy", response_format: "pcm" });
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "audio/pcm");
    assert.equal(response.headers.get("x-model"), "s2-pro");
    const native = await server.post({ text: "Hello there.", format: "pcm", sample_rate: 24000 });
    assert.deepEqual(await response.arrayBuffer(), await native.arrayBuffer());
    assert.equal(speech.jobs.at(-2)?.request.output.sampleRate, 24000);
  });

  it("answers below the prefix of Fish Audio, and without model and voice", async () => {
    const response = await speak({ input: "Hi.", response_format: "wav" }, "/compat/v1/audio/speech");
    assert.equal(response.status, 200);
    assert.equal(Buffer.from(await response.arrayBuffer()).toString("latin1", 0, 4), "RIFF");
  });

  it("takes the voice by name or as an object, an engine as the model, and every speed from 0.25 to 4", async () => {
    const last = () => speech.jobs.at(-1)?.request;
    await (await speak({ input: "Hi.", voice: { id: "tone-two" }, response_format: "pcm", speed: 0.25 })).arrayBuffer();
    assert.deepEqual([last()?.voices[0]?.id, last()?.speed], [TONE_VOICES[1]?.id, 0.25]);
    await (await speak({ input: "Hi.", model: "kokoro", response_format: "pcm", speed: 4 })).arrayBuffer();
    assert.deepEqual([last()?.voices[0]?.id, last()?.speed], [TONE_VOICES[2]?.id, 4]);
    assert.deepEqual(await errorOf(await speak({ input: "Hi.", speed: 4.01 })), {
      status: 400,
      message: "speed: 4.01 is not allowed, it must be from 0.25 to 4",
      type: "invalid_request_error",
      param: "speed",
      code: "invalid_value",
    });
  });

  it("streams events whose audio together is the file", async () => {
    const body = { input: "Hello there.", voice: "tone-one", response_format: "pcm", instructions: "Calmly." };
    const file = Buffer.from(await (await speak(body)).arrayBuffer());
    const response = await speak({ ...body, stream_format: "sse" });
    assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
    const events = eventsOf(await response.text());
    const last = events.pop();
    assert.deepEqual(Buffer.concat(events.map(({ audio }) => Buffer.from(String(audio), "base64"))), file);
    assert.ok(events.length > 1 && events.every(({ type }) => type === "speech.audio.delta"));
    const output = Math.ceil((file.length / 48_000) * 20);
    assert.deepEqual(last, {
      type: "speech.audio.done",
      usage: { input_tokens: 12, output_tokens: output, total_tokens: 12 + output },
    });
  });

  it("ends events with an error when the engine fails after the first audio", async (context) => {
    const failing = await serveToneSpeech(context, {
      before: (part) => {
        if (part === 2) throw new SpeechError("overloaded", "secret detail", 7);
      },
    });
    const body = { input: "Hello there.", response_format: "pcm", stream_format: "sse" };
    const path = "/v1/audio/speech";
    const response = await failing.server.post(body, { path, headers: { model: undefined } });
    assert.equal(response.status, 200);
    const events = eventsOf(await response.text());
    const { type, error } = events.pop() as { type: string; error: OpenAiError };
    assert.ok(events.length > 0 && events.every(({ type: each }) => each === "speech.audio.delta"));
    assert.deepEqual([type, error.type, error.param, error.code], ["error", "server_error", null, "overloaded"]);
    assert.doesNotMatch(error.message, /secret/);
    await until(() => failing.server.log.some((line) => /"request\.refused".*secret detail/.test(line)));
  });

  it("refuses what is wrong, with its own names of fields", async () => {
    for (const [body, status, param] of [
      [{ voice: "alloy" }, 422, "input"],
      [{ input: 7 }, 422, "input"],
      [{ input: "Hi.", voice: 7 }, 422, "voice"],
      [{ input: "Hi.", voice: "nobody" }, 400, "voice"],
      [{ input: "Hi.", response_format: "midi" }, 400, "response_format"],
      [{ input: "Hi.", stream_format: "tape" }, 400, "stream_format"],
      [{ input: "x".repeat(30_001) }, 400, "input"],
    ] as const) {
      const error = await errorOf(await speak(body));
      assert.deepEqual([error.status, error.param], [status, param], JSON.stringify(error));
      assert.match(error.message, new RegExp(`^${param}: `));
    }
  });

  it("refuses broken bodies, other types and unknown keys in the shape of the dialect", async () => {
    const post = (body: string, headers: Record<string, string>) =>
      fetch(`${server.url}/v1/audio/speech`, { method: "POST", headers: { authorization, ...headers }, body });
    const json = { "content-type": "application/json" };
    assert.equal((await errorOf(await post("{", json))).code, "invalid_request");
    assert.equal((await errorOf(await post("x", { "content-type": "text/plain" }))).status, 415);
    assert.equal(
      (await errorOf(await post("{}", { ...json, authorization: "Bearer no" }))).type,
      "authentication_error",
    );
    assert.equal((await errorOf(await get("/v1/audio/speech"))).status, 404);
  });
});

describe("POST /v1/audio/transcriptions", () => {
  it("has each form of a transcript", async () => {
    const json = await transcribe({ model: "whisper-1" });
    assert.deepEqual(await json.json(), { text: "20 80", usage: { type: "duration", seconds: 2 } });
    const text = await transcribe({ model: "gpt-4o-transcribe", response_format: "text" });
    assert.match(text.headers.get("content-type") ?? "", /^text\/plain/);
    assert.equal(await text.text(), "20 80\n");
    const srt = await transcribe({ response_format: "srt" }, "/compat/v1/audio/transcriptions");
    assert.match(await srt.text(), /^1\n00:00:00,250 --> 00:00:00,500\n20\n/);
    assert.match(await (await transcribe({ response_format: "vtt" })).text(), /^WEBVTT\n\n00:00:00\.250 --> /);
    assert.deepEqual(await uploads(server), []);
  });

  it("has the times of segments, words or both in verbose_json", async () => {
    const verbose = async (granularities: readonly string[]) =>
      (await transcribe({
        response_format: "verbose_json",
        language: "en",
        "timestamp_granularities[]": granularities,
      }).then((response) => response.json())) as Record<string, unknown>;
    const both = await verbose(["word", "segment"]);
    assert.deepEqual([both.task, both.language, both.duration, both.text], ["transcribe", "english", 2, "20 80"]);
    assert.deepEqual((both.segments as object[])[0], {
      id: 0,
      seek: 25,
      start: 0.25,
      end: 0.5,
      text: " 20",
      tokens: [],
      temperature: 0,
      avg_logprob: 0,
      compression_ratio: 0.2,
      no_speech_prob: 0,
    });
    assert.deepEqual((both.words as object[])[0], { word: "20", start: 0.25, end: 0.5 });
    assert.equal("segments" in (await verbose(["word"])), false);
    assert.equal("words" in (await verbose([])), false);
  });

  it("streams the pieces of the text, then the whole", async () => {
    const response = await transcribe({ stream: "true" });
    assert.match(response.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.deepEqual(eventsOf(await response.text()), [
      { type: "transcript.text.delta", delta: "20" },
      { type: "transcript.text.delta", delta: " 80" },
      {
        type: "transcript.text.done",
        text: "20 80",
        usage: { type: "tokens", input_tokens: 20, output_tokens: 5, total_tokens: 25 },
      },
    ]);
    assert.deepEqual(await uploads(server), []);
  });

  it("refuses what is wrong, before and in place of a stream", async () => {
    for (const [fields, status, param] of [
      [{ response_format: "diarized_json", known_speaker_names: "Ann" }, 400, "known_speaker_names"],
      [{ response_format: "yaml" }, 400, "response_format"],
      [{ temperature: "2" }, 400, "temperature"],
      [{ language: "xx", stream: "true" }, 400, "language"],
      [{ timestamp_granularities: "page" }, 400, "timestamp_granularities"],
      [{ language: ["en", "fr"] }, 422, "language"],
    ] as const) {
      const error = await errorOf(await transcribe(fields));
      assert.deepEqual([error.status, error.param], [status, param], JSON.stringify(error));
    }
    const empty = await fetch(`${server.url}/v1/audio/transcriptions`, {
      method: "POST",
      headers: { authorization },
      body: new FormData(),
    });
    const missing = await errorOf(empty);
    assert.deepEqual([missing.status, missing.param], [422, "file"]);
    assert.deepEqual(await uploads(server), []);
  });

  it("accepts prompts, keywords and fields of other models", async () => {
    const fields = {
      prompt: "Numbers.",
      "keywords[]": ["twenty", "eighty"],
      chunking_strategy: "auto",
      temperature: "0",
    };
    assert.equal((await transcribe(fields)).status, 200);
  });

  it("costs the same as the native route", async () => {
    const member = await addMember(server);
    const send = async (path: string, field: string) => {
      const form = new FormData();
      form.append(field, new Blob([recording]), "speech.wav");
      const response = await fetch(server.url + path, { method: "POST", headers: member.headers, body: form });
      assert.equal(response.status, 200);
      await response.text();
      return member.balances();
    };
    const before = await member.balances();
    const first = await send("/v1/asr", "audio");
    const second = await send("/v1/audio/transcriptions", "file");
    const cost = (before[0] ?? 0) - (first[0] ?? 0);
    assert.ok(cost > 0);
    assert.equal((first[0] ?? 0) - (second[0] ?? 0), cost);
  });
});

describe("POST /v1/audio/translations", () => {
  it("asks the engine for the translation", async () => {
    const response = await transcribe({ response_format: "verbose_json" }, "/v1/audio/translations");
    const body = (await response.json()) as Record<string, unknown>;
    assert.deepEqual([body.task, body.language, body.text], ["translate", "english", "20 80"]);
    assert.equal(transcription.jobs.at(-1)?.request.task, "translate");
  });

  it("is refused where no recognizer translates", async (context) => {
    const english = await startTestServer({ transcription: createBurstTranscription({ engines: ["moonshine"] }) });
    context.after(() => english.close());
    const form = new FormData();
    form.append("file", new Blob([recording]), "speech.wav");
    const response = await fetch(`${english.url}/v1/audio/translations`, {
      method: "POST",
      headers: { authorization },
      body: form,
    });
    const error = await errorOf(response);
    assert.deepEqual([error.status, error.param], [400, "model"]);
  });
});

describe("the lists of models and voices", () => {
  it("name models of this server and of OpenAI", async () => {
    const { object, data } = (await (await get("/v1/models")).json()) as { object: string; data: { id: string }[] };
    assert.equal(object, "list");
    for (const id of ["s2-pro", "tts-1", "piper", "whisper-1", "transcribe-1"])
      assert.ok(
        data.some((model) => model.id === id),
        id,
      );
    const one = (await (await get("/v1/models/tts-1")).json()) as Record<string, unknown>;
    assert.deepEqual([one.id, one.object, one.owned_by], ["tts-1", "model", "parlance"]);
    const unknown = await errorOf(await get("/v1/models/gpt-9"));
    assert.deepEqual([unknown.status, unknown.code], [404, "model_not_found"]);
    assert.equal((await get("/v1/models", {})).status, 401);
  });

  it("name voices, without a key only where the catalog is public", async (context) => {
    const { voices } = (await (await get("/v1/audio/voices")).json()) as { voices: object[] };
    assert.deepEqual(voices[0], { id: "tone-one", name: "tone-one" });
    assert.equal((await get("/v1/audio/voices", {})).status, 401);
    const open = await startTestServer({ config: { publicCatalogue: "on" } });
    context.after(() => open.close());
    assert.equal((await fetch(`${open.url}/v1/audio/voices`)).status, 200);
    assert.equal((await fetch(`${open.url}/compat/v1/audio/models`)).status, 200);
    assert.equal((await fetch(`${open.url}/v1/models`)).status, 401);
  });
});
