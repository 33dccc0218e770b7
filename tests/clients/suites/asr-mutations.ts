import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { encodeMessagePack } from "@parlance/protocol";
import { speechClip } from "../../../packages/speech/src/testing/decode-session.ts";
import { createMutator } from "../../../packages/speech/src/testing/mutate.ts";
import { muxAudio } from "../../../packages/speech/src/testing/mux-audio.ts";
import { CONCURRENCY, type RealServer } from "../real-server.ts";

// The decoder has a test with more of them.
const FILES = 150;

const FORMATS = [
  ["wav", "pcm_s16le", 16_000],
  ["mp3", "libmp3lame", 44_100],
  ["ogg", "libopus", 48_000],
  ["flac", "flac", 44_100],
  ["ipod", "aac", 44_100],
  ["webm", "libopus", 48_000],
] as const;

export function asrMutationsSuite(server: RealServer): void {
  describe("a server that gets damaged recordings", () => {
    let bases: readonly Buffer[];
    before(async () => {
      bases = await Promise.all(
        FORMATS.map(async ([muxer, encoder, sampleRate]) => {
          const path = join(server.data, muxer);
          // A pause in speech, so that recognition is fast: the test is about decoding.
          const clip = (await speechClip(6, sampleRate)).subarray(
            Math.round(4.2 * sampleRate),
            Math.round(5.3 * sampleRate),
          );
          muxAudio(path, muxer, { sampleRate, channels: [clip], encoder, bitRate: 48_000 });
          return readFile(path);
        }),
      );
    });

    function send(audio: Buffer, packed: boolean): Promise<Response> {
      const headers = { authorization: `Bearer ${server.key}` };
      if (packed) {
        const body = encodeMessagePack({ audio, language: "en" });
        return fetch(`${server.url}/v1/asr`, {
          method: "POST",
          headers: { ...headers, "content-type": "application/msgpack" },
          body,
        });
      }
      const body = new FormData();
      body.append("language", "en");
      body.append("audio", new Blob([new Uint8Array(audio)]), "a");
      return fetch(`${server.url}/v1/asr`, { method: "POST", headers, body });
    }

    it(`responds to each of ${FILES} with a valid status, and keeps working`, async (context) => {
      const mutate = createMutator(20_240_229);
      const files = Array.from({ length: FILES }, (_, number) => {
        const [base, other] = [bases[number % bases.length], bases[(number * 7 + 1) % bases.length]];
        return mutate(base ?? Buffer.of(), other ?? Buffer.of());
      });
      const answers = new Map<string, number>();
      let next = 0;
      const work = async (): Promise<void> => {
        for (let number = next++; number < FILES; number = next++) {
          const response = await send(files[number] ?? Buffer.of(), number % 5 === 0);
          const body: unknown = await response.json();
          const code = response.headers.get("x-error-code") ?? "";
          const answer = `${response.status} ${code}`.trim();
          answers.set(answer, (answers.get(answer) ?? 0) + 1);
          assert.ok(
            response.status === 200 || response.status === 400,
            `file ${number}: ${answer} ${JSON.stringify(body)}`,
          );
          const keys = Object.keys(body as object)
            .sort()
            .join();
          const expected = response.status === 200 ? "duration,language,language_code,segments,text" : "message,status";
          assert.equal(keys, expected, `file ${number}`);
        }
      };
      await Promise.all(Array.from({ length: CONCURRENCY }, work));
      context.diagnostic([...answers].map(([answer, count]) => `${answer}: ${count}`).join(" · "));
      assert.ok((answers.get("200") ?? 0) > 10 && (answers.get("400 audio_undecodable") ?? 0) > 10);
      assert.ok(!server.log.some((line) => line.includes('"level":50')), "nothing failed on our side");

      for (const base of bases) assert.equal((await send(base, false)).status, 200);
      const folders = await readdir(join(server.data, "uploads"));
      const left = await Promise.all(folders.map((name) => readdir(join(server.data, "uploads", name))));
      assert.deepEqual(left.flat(), []);
    });
  });
}
