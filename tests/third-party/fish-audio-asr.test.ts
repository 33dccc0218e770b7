import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { FishAudioClient } from "fish-audio";
import { ASRRequest, Session } from "fish-audio-sdk";
import { decodeAudio } from "../../packages/speech/src/testing/decode-audio.ts";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { muxAudio } from "../../packages/speech/src/testing/mux-audio.ts";
import { wordErrors } from "../../packages/speech/src/testing/word-errors.ts";
import { type RealServer, realServer } from "../clients/real-server.ts";

const SPOKEN =
  "And so, my fellow Americans, ask not what your country can do for you, ask what you can do for your country.";
const SECONDS = 11;

interface Transcript {
  readonly text: string;
  readonly duration: number;
  readonly segments: readonly { readonly text: string; readonly start: number; readonly end: number }[];
}

function assertTranscript({ text, duration, segments }: Transcript): void {
  const { errors, words } = wordErrors(SPOKEN, text);
  assert.ok(errors / words <= 0.05, `${errors} of ${words} words: ${text}`);
  assert.ok(Math.abs(duration - SECONDS) < 0.05, `${duration} s`);
  let before = 0;
  for (const { start, end } of segments) {
    assert.ok(start >= before && end > start && end <= duration, `${start} to ${end}`);
    before = start;
  }
}

/** The published clients, unchanged: only their base URL points here. */
describe("speech to text with", () => {
  let server: RealServer;
  let recording: Buffer<ArrayBuffer>;
  before(async () => {
    const models = await testModels("test-speech");
    recording = Buffer.from(await readFile(models.path("test-speech", "jfk.wav")));
    server = await realServer();
  });
  after(async () => {
    const folders = await readdir(join(server.data, "uploads"));
    const left = await Promise.all(folders.map((name) => readdir(join(server.data, "uploads", name))));
    assert.deepEqual(left.flat(), [], "no recording is left behind");
  });

  describe("the npm client fish-audio", () => {
    const client = () => new FishAudioClient({ apiKey: server.key, baseUrl: server.url });

    it("transcribes a file, with the times of its sentences", async () => {
      const transcript = await client().speechToText.convert({ audio: new File([recording], "jfk.wav") });
      assertTranscript(transcript);
      assert.ok(transcript.segments.length > 0);
      assert.equal(wordErrors(transcript.text, transcript.segments.map(({ text }) => text).join(" ")).errors, 0);
    });

    it("sets the language and omits times", async () => {
      const audio = new File([recording], "jfk.wav");
      const transcript = await client().speechToText.convert({ audio, language: "en", ignore_timestamps: true });
      assertTranscript(transcript);
      assert.deepEqual(transcript.segments, []);
    });

    it("sends mp3, opus and m4a as they are", async () => {
      const { samples, sampleRate } = decodeAudio(recording);
      for (const [muxer, encoder, name] of [
        ["mp3", "libmp3lame", "a.mp3"],
        ["ogg", "libopus", "a.opus"],
        ["ipod", "aac", "a.m4a"],
      ] as const) {
        const path = join(server.data, name);
        muxAudio(path, muxer, { sampleRate, channels: [samples], encoder, bitRate: 48_000 });
        const audio = new File([await readFile(path)], "wrong-name.wav");
        assertTranscript(await client().speechToText.convert({ audio, language: "en" }));
      }
    });

    it("raises its own errors with our message", async () => {
      const refused = async (bytes: Uint8Array<ArrayBuffer>, language?: string) => {
        const audio = new File([bytes], "a.wav");
        const request = language === undefined ? { audio } : { audio, language };
        try {
          await client().speechToText.convert(request);
        } catch (error) {
          const { statusCode, body } = error as Error & { statusCode?: number; body?: unknown };
          return { statusCode, body: JSON.stringify(body) };
        }
        return assert.fail("it was taken");
      };
      const { statusCode, body } = await refused(new Uint8Array(3000));
      assert.equal(statusCode, 400);
      assert.match(body, /^\{"status":400,"message":"audio: it cannot be decoded, /);
      assert.match((await refused(recording, "xx")).body, /language: \\"xx\\" .* one of af, .*en, .*zh/);
    });
  });

  describe("the npm client fish-audio-sdk", () => {
    it("transcribes a file that it packs as MessagePack", async () => {
      const session = new Session(server.key, server.url);
      try {
        assertTranscript(await session.asr(new ASRRequest(recording)));
        const pinned = await session.asr(new ASRRequest(recording, "en", true));
        assertTranscript(pinned);
        assert.deepEqual(pinned.segments, []);
        await assert.rejects(session.asr(new ASRRequest(Buffer.alloc(3000))), /400 audio: it cannot be decoded/);
      } finally {
        session.close();
      }
    });
  });
});
