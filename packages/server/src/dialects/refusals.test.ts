import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SpeechError } from "@parlance/speech";
import { createBurstTranscription } from "../testing/burst-transcription.ts";
import { addMember } from "../testing/member.ts";
import { startTestServer, type TestServer } from "../testing/test-server.ts";
import { createToneSpeech } from "../testing/tone-speech.ts";
import { burstSamples, wavFile } from "../testing/wav-file.ts";

const WAV = wavFile(burstSamples(2, []), 16_000);

/** One request of each dialect that is not native, and the code in its error. */
const REQUESTS = {
  elevenlabs: {
    send: (url: string, key: string) =>
      fetch(`${url}/v1/text-to-speech/tone-one?output_format=pcm_16000`, {
        method: "POST",
        headers: { "xi-api-key": key, "content-type": "application/json" },
        body: JSON.stringify({ text: "Some words." }),
      }),
    codeOf: (body: string) => JSON.parse(body).detail.status,
  },
  deepgram: {
    send: (url: string, key: string) =>
      fetch(`${url}/v1/listen`, { method: "POST", headers: { authorization: `Token ${key}` }, body: WAV }),
    codeOf: (body: string) => JSON.parse(body).err_code.toLowerCase(),
  },
};

describe("refusals in the shape of each dialect", () => {
  for (const [name, { send, codeOf }] of Object.entries(REQUESTS)) {
    const check = async (server: TestServer, status: number, code: string): Promise<void> => {
      const member = await addMember(server);
      const key = member.headers.authorization?.replace("Bearer ", "") ?? "";
      const response = await send(server.url, key);
      assert.equal(response.status, status);
      assert.equal(codeOf(await response.text()), code);
      assert.equal(response.headers.get("x-error-code"), code);
      if (status !== 402) assert.ok(Number(response.headers.get("retry-after")) >= 1);
    };

    it(`${name}: 402 without credit`, async (context) => {
      const server = await startTestServer({ config: { prices: { textByte: 1e9, transcribedSecond: 1e9 } } });
      context.after(() => server.close());
      await check(server, 402, "insufficient_balance");
    });

    it(`${name}: 429 over the rate`, async (context) => {
      const server = await startTestServer({ config: { requestsPerMinute: 1 } });
      context.after(() => server.close());
      const member = await addMember(server);
      const key = member.headers.authorization?.replace("Bearer ", "") ?? "";
      await (await send(server.url, key)).arrayBuffer();
      const response = await send(server.url, key);
      assert.equal(response.status, 429);
      assert.equal(codeOf(await response.text()), "rate_limited");
    });

    it(`${name}: 503 without capacity`, async (context) => {
      const overloaded = () => {
        throw new SpeechError("overloaded", "full", 3);
      };
      const speech = createToneSpeech({ before: overloaded });
      const transcription = createBurstTranscription({ before: overloaded });
      const server = await startTestServer({ speech, transcription });
      context.after(() => server.close());
      await check(server, 503, "overloaded");
    });
  }
});
