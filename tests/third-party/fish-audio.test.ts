import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { FishAudioClient, RealtimeEvents } from "fish-audio";
import { decodeAudio } from "../../packages/speech/src/testing/decode-audio.ts";
import { type RealServer, realServer } from "../clients/real-server.ts";

/** The published client, unchanged: only its base URL points here. */
describe("the npm client fish-audio", () => {
  let server: RealServer;
  let client: FishAudioClient;
  before(async () => {
    server = await realServer();
    client = new FishAudioClient({ apiKey: server.key, baseUrl: server.url });
  });

  const text = "The quick brown fox jumps over the lazy dog.";

  for (const format of ["mp3", "wav", "opus"] as const) {
    it(`gets ${format} that a player opens`, async () => {
      const audio = decodeAudio(await bytesOf(await client.textToSpeech.convert({ text, format })));
      assert.equal(audio.sampleRate, format === "opus" ? 48000 : 44100);
      assert.equal(audio.channels, 1);
      assertSpeech(audio.samples, audio.sampleRate);
    });
  }

  it("gets pcm at the requested rate", async () => {
    const response = await client.textToSpeech.convert({ text, format: "pcm", sample_rate: 16000 }).withRawResponse();
    assert.equal(response.rawResponse.headers.get("content-type"), "audio/pcm");
    const bytes = await bytesOf(response.data);
    assert.equal(bytes.length % 2, 0);
    const samples = Float32Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readInt16LE(i * 2) / 32768);
    assertSpeech(samples, 16000);
  });

  it("can use each of its own option names and models", async () => {
    const request = {
      text: "Hello there.",
      format: "wav" as const,
      temperature: 0.5,
      top_p: 0.9,
      chunk_length: 150,
      normalize: false,
      mp3_bitrate: 192 as const,
      opus_bitrate: 48 as const,
      latency: "normal" as const,
      references: [],
      prosody: { speed: 1.5, volume: -3 },
    };
    for (const model of ["s1", "speech-1.5", "speech-1.6"] as const) {
      const bytes = await bytesOf(await client.textToSpeech.convert(request, model));
      assert.equal(bytes.toString("latin1", 0, 4), "RIFF");
    }
  });

  it("gets the first audio before the synthesis is complete", async () => {
    const long = Array.from({ length: 12 }, (_, i) => `This is sentence number ${i + 1} of a longer text.`).join(" ");
    const stream = await client.textToSpeech.convert({ text: long, format: "pcm" });
    let chunks = 0;
    for await (const _chunk of stream) chunks += 1;
    assert.ok(chunks > 3, `${chunks} chunks`);
  });

  it("speaks a stream of text over its realtime connection", async () => {
    async function* tokens(): AsyncGenerator<string> {
      for (const token of text.match(/.{1,4}/g) ?? []) {
        yield token;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }
    const request = { text: "", format: "wav" as const, sample_rate: 24000, latency: "balanced" as const };
    const connection = await client.textToSpeech.convertRealtime(request, tokens(), "s1");
    const parts: Uint8Array[] = [];
    connection.on(RealtimeEvents.AUDIO_CHUNK, (audio) => {
      if (audio instanceof Uint8Array) parts.push(audio);
    });
    await new Promise<void>((resolve, reject) => {
      connection.on(RealtimeEvents.ERROR, reject);
      connection.on(RealtimeEvents.CLOSE, () => resolve());
    });
    connection.close();
    const audio = decodeAudio(Buffer.concat(parts));
    assert.equal(audio.sampleRate, 24000);
    assertSpeech(audio.samples, audio.sampleRate);
  });

  it("gets the reason of a refusal over its realtime connection", async () => {
    const fault = async (from: FishAudioClient, request: { text: string; reference_id?: string }): Promise<string> => {
      const connection = await from.textToSpeech.convertRealtime(request, ["Hello."]);
      const error = await new Promise<unknown>((resolve) => connection.on(RealtimeEvents.ERROR, resolve));
      connection.close();
      return String(error);
    };
    assert.match(await fault(client, { text: "", reference_id: "nobody" }), /there is no voice "nobody"/);
    const unknownClient = new FishAudioClient({ apiKey: "not-a-key-of-this-server", baseUrl: server.url });
    assert.match(await fault(unknownClient, { text: "" }), /401/);
  });

  it("raises its own errors with our message", async () => {
    const unknownClient = new FishAudioClient({ apiKey: "not-a-key-of-this-server", baseUrl: server.url });
    await assert.rejects(
      async () => unknownClient.textToSpeech.convert({ text }),
      (error: Error & { statusCode?: number; body?: unknown }) => {
        assert.equal(error.statusCode, 401);
        assert.deepEqual(error.body, { status: 401, message: "Invalid API key" });
        return true;
      },
    );
    await assert.rejects(
      async () => client.textToSpeech.convert({ text: undefined as unknown as string }),
      (error: Error & { statusCode?: number }) => error.statusCode === 422,
    );
    await assert.rejects(
      async () => client.textToSpeech.convert({ text, reference_id: "nobody" }),
      (error: Error & { statusCode?: number }) => error.statusCode === 400,
    );
  });
});

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

/** Long and loud enough for the sentence. */
function assertSpeech(samples: Float32Array, sampleRate: number): void {
  const seconds = samples.length / sampleRate;
  assert.ok(seconds > 1.5 && seconds < 6, `${seconds} s`);
  const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length;
  assert.ok(Math.sqrt(power) > 0.01, `RMS ${Math.sqrt(power)}`);
}
