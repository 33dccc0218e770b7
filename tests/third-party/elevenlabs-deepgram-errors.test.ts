import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Deepgram, DeepgramClient, DeepgramError } from "@deepgram/sdk";
import { ElevenLabs, ElevenLabsClient, ElevenLabsError } from "@elevenlabs/elevenlabs-js";
import { DEFAULT_PLANS, isRecord, LIMITS } from "@parlance/protocol";
import { SpeechError } from "@parlance/speech";
import { createBurstTranscription } from "../../packages/server/src/testing/burst-transcription.ts";
import { addMember } from "../../packages/server/src/testing/member.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../packages/server/src/testing/test-server.ts";
import { createToneSpeech } from "../../packages/server/src/testing/tone-speech.ts";
import { burstSamples, wavFile } from "../../packages/server/src/testing/wav-file.ts";

const RETRY_SECONDS = 7;

function recordingOf(seconds: number): Buffer {
  return Buffer.from(wavFile(burstSamples(seconds, []), 16_000));
}

/** What both clients report of a refusal. */
interface Refusal {
  readonly status: number;
  readonly code: string;
  /** The class of the client's exception. Its general one by default. */
  readonly kind?: new (
    ...args: never[]
  ) => Error;
}

async function assertRefused(call: () => PromiseLike<unknown>, { status, code, kind = Error }: Refusal): Promise<void> {
  let error: unknown;
  try {
    await call();
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error instanceof ElevenLabsError || error instanceof DeepgramError, String(error));
  assert.ok(error instanceof kind, error.constructor.name);
  assert.deepEqual([error.statusCode, codeOf(error.body)], [status, code]);
  if (status !== 429 && status !== 503) return;
  // The clients wait this long before they send the request again.
  const seconds = Number(error.rawResponse?.headers.get("retry-after"));
  assert.ok(status === 503 ? seconds === RETRY_SECONDS : seconds >= 1, `${seconds} s`);
}

/** As the dialect of ElevenLabs or of Deepgram writes it. Undefined for a list of faults. */
function codeOf(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  if (isRecord(body.detail)) return String(body.detail.status);
  return typeof body.err_code === "string"
    ? body.err_code.toLowerCase()
    : Array.isArray(body.detail)
      ? "list"
      : undefined;
}

function clientsOf(server: TestServer, apiKey: string) {
  const options = { apiKey, baseUrl: server.url, maxRetries: 0 };
  const elevenlabs = new ElevenLabsClient(options);
  const deepgram = new DeepgramClient(options);
  return {
    elevenlabs,
    deepgram,
    speak: (text: string, voice = "tone-one") =>
      elevenlabs.textToSpeech.convert(voice, { text, outputFormat: "pcm_16000" }),
    transcribe: (recording: Buffer) =>
      elevenlabs.speechToText.convert({ file: new Blob([Uint8Array.from(recording)]), modelId: "scribe_v1" }),
    listen: (recording: Buffer, query: Deepgram.listen.v1.MediaTranscribeRequestOctetStream = {}) =>
      deepgram.listen.v1.media.transcribeFile(recording, query),
  };
}

describe("the exceptions of the clients of ElevenLabs and Deepgram", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer();
  });
  after(() => server.close());

  it("are those of wrong requests: 400, 401, 404, 413 and 422", async () => {
    const { elevenlabs, deepgram, speak, transcribe, listen } = clientsOf(server, TEST_KEY);
    const huge = Buffer.alloc(LIMITS.asrFileBytes + 1);
    await assertRefused(() => speak("x", "nobody"), { status: 400, code: "unknown_voice" });
    await assertRefused(() => transcribe(Buffer.from("no audio")), { status: 400, code: "audio_undecodable" });
    await assertRefused(() => elevenlabs.voices.delete("nobody"), { status: 404, code: "voice_not_found" });
    await assertRefused(() => transcribe(huge), { status: 413, code: "audio_too_large" });
    const wrongShape = () =>
      elevenlabs.textToSpeech.convert("tone-one", { text: "x" }, { additionalBodyParameters: { text: 5 } });
    await assertRefused(wrongShape, { status: 422, code: "list", kind: ElevenLabs.UnprocessableEntityError });

    const badRequest = { status: 400, kind: Deepgram.BadRequestError };
    await assertRefused(() => listen(recordingOf(2), { language: "xx" }), { ...badRequest, code: "invalid_value" });
    await assertRefused(() => listen(Buffer.from("no audio")), { ...badRequest, code: "audio_undecodable" });
    await assertRefused(() => deepgram.listen.v1.media.transcribeUrl({ url: "https://example.org/a.wav" }), {
      ...badRequest,
      code: "invalid_value",
    });
    await assertRefused(() => listen(huge), { status: 413, code: "audio_too_large" });

    const unauthorized = clientsOf(server, "wrong");
    await assertRefused(() => unauthorized.elevenlabs.voices.getAll(), { status: 401, code: "invalid_api_key" });
    await assertRefused(() => unauthorized.speak("x"), { status: 401, code: "invalid_api_key" });
    await assertRefused(() => unauthorized.listen(recordingOf(2)), { status: 401, code: "invalid_api_key" });
  });

  it("are those of 402, 503 and 429, with the time to wait", async (context) => {
    const overloaded = () => {
      throw new SpeechError("overloaded", "full", RETRY_SECONDS);
    };
    const transcription = createBurstTranscription({
      // A long recording gets as far as its price.
      before: ({ request }) => (request.language === "fr" ? undefined : overloaded()),
    });
    const plans = { ...DEFAULT_PLANS, free: { ...DEFAULT_PLANS.free, credits: 10 } };
    const config = { plans, requestsPerMinute: 2 };
    const limited = await startTestServer({ speech: createToneSpeech({ before: overloaded }), transcription, config });
    context.after(() => limited.close());
    const memberClients = async () => {
      const member = await addMember(limited);
      return clientsOf(limited, member.headers.authorization?.replace("Bearer ", "") ?? "");
    };
    const { speak } = await memberClients();
    await assertRefused(() => speak("More than ten bytes."), { status: 402, code: "insufficient_balance" });
    await assertRefused(() => speak("Hello."), { status: 503, code: "overloaded" });
    await assertRefused(() => speak("Hello."), { status: 429, code: "rate_limited" });
    const { listen } = await memberClients();
    const long = recordingOf(30);
    await assertRefused(() => listen(long, { language: "fr" }), { status: 402, code: "insufficient_balance" });
    await assertRefused(() => listen(recordingOf(2)), { status: 503, code: "overloaded" });
    await assertRefused(() => listen(recordingOf(2)), { status: 429, code: "rate_limited" });
  });
});
