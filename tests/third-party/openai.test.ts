import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createReadStream, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { before, describe, it } from "node:test";
import { promisify } from "node:util";
import { DEFAULT_PLANS } from "@parlance/protocol";
import { SpeechError } from "@parlance/speech";
import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  RateLimitError,
  toFile,
  UnprocessableEntityError,
} from "openai";
import { addMember } from "../../packages/server/src/testing/member.ts";
import { startTestServer } from "../../packages/server/src/testing/test-server.ts";
import { createToneSpeech } from "../../packages/server/src/testing/tone-speech.ts";
import { decodeAudio } from "../../packages/speech/src/testing/decode-audio.ts";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { realSpeech } from "../../packages/speech/src/testing/real-speech.ts";
import { type RealServer, realServer } from "../clients/real-server.ts";
import { codeBlocks } from "../docs/markdown.ts";

/** The published client, unchanged: only its base URL and its key are those of this server. */
describe("the npm client openai", () => {
  let server: RealServer;
  let client: OpenAI;
  let recording: string;
  before(async () => {
    server = await realServer();
    client = new OpenAI({ apiKey: server.key, baseURL: `${server.url}/v1` });
    recording = realSpeech(await testModels("test-speech")).at(-1)?.path ?? "";
  });

  const input = "The quick brown fox jumps over the lazy dog.";
  const file = () => createReadStream(recording);

  for (const response_format of ["mp3", "opus", "aac", "flac", "wav"] as const) {
    it(`gets speech as ${response_format} that a player opens`, async () => {
      const response = await client.audio.speech.create({ model: "tts-1", voice: "alloy", input, response_format });
      const audio = decodeAudio(Buffer.from(await response.arrayBuffer()));
      assert.equal(audio.sampleRate, response_format === "opus" ? 48000 : 24000);
      assertSpeech(audio.samples, audio.sampleRate);
    });
  }

  it("gets pcm at 24 kHz, in parts, while it is made", async () => {
    const long = Array.from({ length: 6 }, (_, index) => `This is sentence number ${index + 1}.`).join(" ");
    const request = { model: "gpt-4o-mini-tts", voice: "nova", instructions: "Speak calmly." } as const;
    const { body } = await client.audio.speech.create({ ...request, input: long, response_format: "pcm" });
    assert.ok(body);
    const parts: Uint8Array[] = [];
    for await (const part of body) parts.push(part);
    assert.ok(parts.length > 3, `${parts.length} parts`);
    const bytes = Buffer.concat(parts);
    const samples = Float32Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readInt16LE(index * 2) / 32768);
    assertSpeech(samples, 24000, 20);
  });

  it("speaks with a voice of this server, four times as fast", async () => {
    const create = async (speed: number) => {
      const request = { model: "kokoro", voice: { id: server.voice }, input, speed, response_format: "wav" } as const;
      return decodeAudio(Buffer.from(await (await client.audio.speech.create(request)).arrayBuffer())).samples.length;
    };
    const ratio = (await create(1)) / (await create(4));
    assert.ok(ratio > 3 && ratio < 5, `${ratio}`);
  });

  it("gets speech as events", async () => {
    const request = { model: "gpt-4o-mini-tts", voice: "coral", input, response_format: "pcm" } as const;
    const response = await client.audio.speech.create({ ...request, stream_format: "sse" });
    const events = (await response.text())
      .split("\n\n")
      .filter((event) => event !== "")
      .map((event) => JSON.parse(event.slice("data: ".length)));
    assert.equal(events.at(-1)?.type, "speech.audio.done");
    const bytes = Buffer.concat(events.slice(0, -1).map(({ audio }) => Buffer.from(audio, "base64")));
    assert.ok(bytes.length > 1.5 * 48_000);
  });

  it("gets a transcript in each form", async () => {
    const create = client.audio.transcriptions.create.bind(client.audio.transcriptions);
    const { text } = await create({ model: "whisper-1", file: file() });
    assert.match(text, /fellow Americans/);
    const request = { model: "gpt-4o-transcribe", language: "en", prompt: "A speech." } as const;
    assert.match(await create({ ...request, file: file(), response_format: "text" }), /fellow Americans.*\n$/);
    assert.match(await create({ ...request, file: file(), response_format: "srt" }), /^1\n00:00:00,\d{3} --> /);
    assert.match(await create({ ...request, file: file(), response_format: "vtt" }), /^WEBVTT\n\n00:00:00\.\d{3} --> /);
    const verbose = await create({
      ...request,
      file: file(),
      response_format: "verbose_json",
      timestamp_granularities: ["word", "segment"],
    });
    assert.equal(verbose.language, "english");
    assert.ok(verbose.duration > 10 && verbose.duration < 12);
    assert.equal(verbose.segments?.map((segment) => segment.text.trim()).join(" "), verbose.text);
    assert.ok((verbose.words?.length ?? 0) > 20);
    assert.equal(verbose.words?.[0]?.word, "And");
  });

  it("gets a transcript as events, the first before the last word is recognized", async () => {
    const stream = await client.audio.transcriptions.create({ model: "whisper-1", file: file(), stream: true });
    let text = "";
    let done = "";
    let deltas = 0;
    for await (const event of stream) {
      if (event.type === "transcript.text.delta") {
        text += event.delta;
        deltas += 1;
      }
      if (event.type === "transcript.text.done") done = event.text;
    }
    assert.match(done, /fellow Americans/);
    assert.equal(text, done);
    assert.ok(deltas > 1, `${deltas} deltas`);
  });

  it("translates what a voice says in another language", async () => {
    const speech = await client.audio.speech.create({
      model: "kokoro",
      voice: "ef_dora",
      input: "El tren para Barcelona sale muy temprano, y todavía tenemos tiempo para tomar un café.",
      response_format: "flac",
    });
    const spoken = await toFile(Buffer.from(await speech.arrayBuffer()), "spanish.flac");
    const { text } = await client.audio.translations.create({ model: "whisper-1", file: spoken });
    assert.match(text, /train/i);
    assert.match(text, /coffee/i);
  });

  it("runs the example of docs/openai.md", async () => {
    const [code = ""] = codeBlocks(readFileSync("docs/openai.md", "utf8"))
      .filter(({ language }) => language === "js")
      .map((block) => block.code);
    // Beside this test, so that the program finds the client.
    const folder = mkdtempSync(resolve("tests", "third-party", "example-"));
    try {
      writeFileSync(join(folder, "example.mjs"), code.replaceAll("http://127.0.0.1:8080", server.url));
      const env = { ...process.env, PARLANCE_API_KEY: server.key };
      const run = promisify(execFile)(process.execPath, ["example.mjs"], { cwd: folder, env, timeout: 60_000 });
      assert.match((await run).stdout, /good morning.*help you today/i);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("lists models, and finds one", async () => {
    const ids: string[] = [];
    for await (const { id } of client.models.list()) ids.push(id);
    assert.ok(ids.includes("tts-1") && ids.includes("kokoro") && ids.includes("whisper-1"));
    assert.equal((await client.models.retrieve("tts-1")).object, "model");
  });
});

describe("the errors of the npm client openai", () => {
  const input = "Hello.";
  const options = { maxRetries: 0 };

  it("has the exception of each status, with our message and code", async (context) => {
    const server = await startTestServer({ speech: createToneSpeech() });
    context.after(() => server.close());
    const member = await addMember(server);
    const apiKey = member.headers.authorization?.replace("Bearer ", "") ?? "";
    const client = new OpenAI({ apiKey, baseURL: `${server.url}/v1`, ...options });
    const speak = (fields: object) => client.audio.speech.create({ model: "tts-1", voice: "alloy", input, ...fields });
    await refusal(() => speak({ voice: "nobody" }), BadRequestError, 400, "unknown_voice", "voice");
    await refusal(() => speak({ response_format: "midi" }), BadRequestError, 400, "invalid_value", "response_format");
    await refusal(() => speak({ input: 7 }), UnprocessableEntityError, 422, "invalid_request", "input");
    const huge = Buffer.alloc(21 * 1024 * 1024);
    const transcribe = async () =>
      client.audio.transcriptions.create({ model: "whisper-1", file: await toFile(huge, "huge.wav") });
    await refusal(transcribe, APIError, 413, "audio_too_large", "file");
    await refusal(() => client.models.retrieve("gpt-9"), NotFoundError, 404, "model_not_found", null);
    const unauthorized = new OpenAI({ apiKey: "wrong", baseURL: `${server.url}/v1`, ...options });
    await refusal(() => unauthorized.models.list(), AuthenticationError, 401, "invalid_api_key", null);
  });

  it("has the exception of 402, 429 and 503, with the time to wait", async (context) => {
    const speech = createToneSpeech({
      before() {
        throw new SpeechError("overloaded", "full", 7);
      },
    });
    const plans = { ...DEFAULT_PLANS, free: { ...DEFAULT_PLANS.free, credits: 10 } };
    const server = await startTestServer({ speech, config: { plans, requestsPerMinute: 2 } });
    context.after(() => server.close());
    const member = await addMember(server);
    const apiKey = member.headers.authorization?.replace("Bearer ", "") ?? "";
    const client = new OpenAI({ apiKey, baseURL: `${server.url}/v1`, ...options });
    const speak = (text: string) =>
      client.audio.speech.create({ model: "tts-1", voice: "alloy", input: text, response_format: "pcm" });
    await refusal(() => speak("More than ten bytes."), APIError, 402, "insufficient_balance", null);
    const busy = await refusal(() => speak(input), InternalServerError, 503, "overloaded", null);
    assert.equal(busy.headers?.get("retry-after"), "7");
    await refusal(() => speak(input), RateLimitError, 429, "rate_limited", null);
  });
});

async function refusal(
  call: () => PromiseLike<unknown>,
  kind: new (...args: never[]) => Error,
  status: number,
  code: string,
  param: string | null,
): Promise<APIError> {
  let error: unknown;
  try {
    await call();
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error instanceof APIError, String(error));
  assert.ok(error instanceof kind, error.constructor.name);
  assert.deepEqual([error.status, error.code, error.param], [status, code, param]);
  return error;
}

/** Long and loud enough for the text. */
function assertSpeech(samples: Float32Array, sampleRate: number, longest = 6): void {
  const seconds = samples.length / sampleRate;
  assert.ok(seconds > 1.5 && seconds < longest, `${seconds} s`);
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  assert.ok(Math.sqrt(power) > 0.01, `RMS ${Math.sqrt(power)}`);
}
