import assert from "node:assert/strict";
import type { IncomingMessage, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { describe, it, type TestContext } from "node:test";
import { ApiError, type Parlance } from "../index.ts";
import { answering } from "../testing/answering.ts";
import { writeWav } from "./wav-writer.ts";

function answeringWithBody(
  context: TestContext,
  answer: (request: IncomingMessage, response: ServerResponse, body: Buffer) => void,
): Promise<Parlance> {
  return answering(context, async (request, response) => answer(request, response, await buffer(request)));
}

const transcript = { text: "Hi.", duration: 1.5, segments: [{ text: "Hi.", start: 0.1, end: 0.4 }] };
const withLanguage = { ...transcript, language: "en", language_code: "en" };

function answerJson(response: ServerResponse, body: unknown): void {
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(body));
}

/** Seconds of a sound that never pauses. */
const wav = (seconds: number) => writeWav(new Int16Array(seconds * 8000).fill(1000), 8000);

describe("client.asr", () => {
  it("sends any kind of recording as a form, with its options", async (context) => {
    const seen: { url: string | undefined; headers: IncomingMessage["headers"]; body: string }[] = [];
    const client = await answeringWithBody(context, (request, response, body) => {
      seen.push({ url: request.url, headers: request.headers, body: body.toString("latin1") });
      answerJson(response, withLanguage);
    });
    const bytes = new Uint8Array(Buffer.from("the recording"));
    const options = { language: "en", granularity: "word", ignoreTimestamps: true, model: "whisper" } as const;
    const stream = new Blob([bytes]).stream();
    const source = { size: bytes.length, read: async (start: number, end: number) => bytes.slice(start, end) };
    for (const file of [bytes, new Blob([bytes]), new File([bytes], "a.mp3"), stream, source]) {
      assert.deepEqual(await client.asr.transcribe(file, options), { ...transcript, language: "en" });
    }
    assert.equal(seen.length, 5);
    for (const { url, headers, body } of seen) {
      assert.equal(url, "/v1/asr");
      assert.equal(headers.authorization, "Bearer the-key");
      assert.equal(headers.model, "whisper");
      for (const [name, value] of [
        ["language", "en"],
        ["granularity", "word"],
        ["ignore_timestamps", "true"],
      ]) {
        assert.ok(body.includes(`name="${name}"\r\n\r\n${value}\r\n`), body);
      }
      assert.match(body, /name="audio"; filename="audio".*\r\n\r\nthe recording\r\n/s);
    }
    await client.asr.transcribe(bytes);
    assert.equal(seen.at(-1)?.headers.model, undefined);
    assert.ok(!seen.at(-1)?.body.includes("ignore_timestamps"));
  });

  it("reads responses without a language", async (context) => {
    const client = await answeringWithBody(context, (_request, response) => answerJson(response, transcript));
    assert.deepEqual(await client.asr.transcribe(new Uint8Array(9)), { ...transcript, language: null });
  });

  it("refuses files that are too large before sending", async (context) => {
    const client = await answeringWithBody(context, () => assert.fail("it was sent"));
    const large = { size: 20 * 1024 * 1024 + 1, read: () => assert.fail("it was read") };
    await assert.rejects(client.asr.transcribe(large), (error) => {
      return error instanceof ApiError && error.code === "audio_too_large" && error.status === 413;
    });
    const small = { size: large.size, read: async () => new Uint8Array(Buffer.from("not a WAV file")) };
    await assert.rejects(client.asr.long(small), /only WAV can be split here: give `decode`/);
  });

  it("sends a short recording as it is, and a long one in parts", async (context) => {
    const sizes: number[] = [];
    const client = await answeringWithBody(context, (_request, response, body) => {
      sizes.push(body.length);
      answerJson(response, withLanguage);
    });
    await client.asr.long(wav(60));
    assert.equal(sizes.length, 1);
    const { duration, segments } = await client.asr.long(wav(300), { partSeconds: 100 });
    assert.equal(duration, 300);
    assert.ok(sizes.length - 1 >= 3 && sizes.length - 1 <= 6, `${sizes.length - 1} parts`);
    assert.equal(segments.length, sizes.length - 1);
  });

  it("uses `decode` for recordings that are not WAV", async (context) => {
    let parts = 0;
    const client = await answeringWithBody(context, (_request, response) => {
      parts += 1;
      answerJson(response, withLanguage);
    });
    const file = new Blob([new Uint8Array(600_000)]);
    const decode = async (source: { size: number }) => ({
      sampleRate: 8000,
      seconds: undefined,
      samples: (async function* () {
        assert.equal(source.size, 600_000);
        for (let i = 0; i < 50; i += 1) yield new Float32Array(8000).fill(0.2);
      })(),
    });
    const { duration } = await client.asr.long(file, { decode, partSeconds: 20 });
    assert.equal(duration, 50);
    assert.ok(parts >= 3);
  });

  it("retries only temporary errors, after the delay of the server", async (context) => {
    const answers = [429, 503, 0, 200];
    const waits: number[] = [];
    const client = await answeringWithBody(context, (_request, response) => {
      const status = answers.shift() ?? 200;
      if (status === 0) return response.destroy();
      if (status === 200) return answerJson(response, withLanguage);
      response.writeHead(status, { "retry-after": "0" });
      response.end(JSON.stringify({ status, message: "Later" }));
    });
    const onRetry = (_error: Error, waitMs: number) => waits.push(waitMs);
    assert.equal((await client.asr.long(wav(2), { onRetry })).text, "Hi.");
    assert.deepEqual(waits.slice(0, 2), [0, 0]);
    assert.ok((waits[2] ?? 0) >= 2000, "without advice it waits ever longer");

    answers.push(400, 200);
    await assert.rejects(client.asr.long(wav(2)), (error) => error instanceof ApiError && error.status === 400);
    assert.deepEqual(answers, [200]);
  });

  it("stops waiting for a retry when it is aborted", async (context) => {
    const client = await answeringWithBody(context, (_request, response) => {
      response.writeHead(503, { "retry-after": "1000" });
      response.end("{}");
    });
    const stop = new AbortController();
    const work = client.asr.long(wav(2), { signal: stop.signal, onRetry: () => stop.abort(new Error("enough")) });
    await assert.rejects(work, /^Error: enough$/);
  });
});
