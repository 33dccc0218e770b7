import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError, LiveError, Parlance } from "@parlance/client";
import { decodeAudio } from "../../../packages/speech/src/testing/decode-audio.ts";
import { CONCURRENCY, type RealServer } from "../real-server.ts";

export function parlanceLiveSuite(server: RealServer): void {
  describe("our own client, live", () => {
    const pieces = ["Hel", "lo the", "re, it co", "sts 3", ".14 dol", "lars. A \ud83d", "\ude80 fl", "ew b", "y."];
    async function* tokens() {
      for (const piece of pieces) {
        yield piece;
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    }

    it("gives the same audio as the whole text, however the text is split", async () => {
      const request = { format: "pcm", sample_rate: 24000, latency: "normal", seed: 5 } as const;
      const session = await server.client.live(request);
      assert.match(session.traceId ?? "", /^[0-9a-f]{32}$/);
      const spoken = session.speak(tokens());
      const live = await whole(session);
      await spoken;
      assert.deepEqual(live, Buffer.from(await server.client.tts.convert({ ...request, text: pieces.join("") })));
    });

    it("returns flushed text as audio before more text is sent, in each format", async () => {
      for (const format of ["pcm", "wav", "mp3", "opus"] as const) {
        const session = await server.client.live({ format, text: "This is the first sentence" });
        await session.flush();
        const frames = session[Symbol.asyncIterator]();
        const first = await frames.next();
        assert.ok(first.value !== undefined && first.value.audio.length > 0);
        await session.send(" and this is the second.");
        await session.stop();
        const file = Buffer.concat([first.value.audio, await whole({ [Symbol.asyncIterator]: () => frames })]);
        const { samples, sampleRate } =
          format === "pcm" ? { samples: { length: file.length / 2 }, sampleRate: 44100 } : decodeAudio(file);
        assert.ok(samples.length / sampleRate > 1.5, `${format}: ${samples.length / sampleRate} s`);
      }
    });

    it("speaks two rounds on one connection, and a failed round does not affect the next", async () => {
      const live = await server.client.live.connect();
      const speak = async (reference: string | undefined) => {
        const session = live.round({ format: "wav", seed: 1, reference_id: reference });
        session.speak("Once more.");
        return whole(session);
      };
      const first = await speak(undefined);
      await assert.rejects(speak("nobody"), (error) => {
        assert.ok(error instanceof LiveError);
        assert.match(error.message, /reference_id.*nobody/);
        return true;
      });
      assert.deepEqual(await speak(undefined), first);
      await live.close();
    });

    it("returns word times", async () => {
      const session = await server.client.live({ timestamps: true, format: "pcm", seed: 3 });
      session.speak(["That is $3", ".50, ple", "ase. Come again!"]);
      const newest = new Map<number, readonly string[]>();
      for await (const { alignment, chunk_seq } of session) {
        if (alignment)
          newest.set(
            chunk_seq,
            alignment.segments.map(({ text }) => text),
          );
      }
      assert.equal([...newest.values()].flat().join(" "), "That is $3.50 please Come again");
    });

    it("loses nothing when it reads slowly", async () => {
      const request = { format: "wav", seed: 2, latency: "normal" } as const;
      const text = "This is a sentence that is read rather slowly. ".repeat(8);
      const session = await server.client.live(request);
      session.speak(text);
      const parts: Uint8Array[] = [];
      for await (const { audio } of session) {
        parts.push(audio);
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
      assert.deepEqual(Buffer.concat(parts), Buffer.from(await server.client.tts.convert({ ...request, text })));
    });

    it("throws the error of a refused upgrade", async () => {
      const unknownClient = new Parlance({ baseUrl: server.url, apiKey: "not-a-key-of-this-server" });
      await assert.rejects(unknownClient.live(), (error) => {
        assert.ok(error instanceof ApiError);
        assert.deepEqual([error.status, error.code], [401, "invalid_api_key"]);
        assert.match(error.traceId ?? "", /^[0-9a-f]{32}$/);
        return true;
      });
      const crowd = await Promise.allSettled(
        Array.from({ length: CONCURRENCY + 2 }, () => server.client.live.connect()),
      );
      const refused = crowd.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
      await Promise.all(crowd.map((one) => one.status === "fulfilled" && one.value.close()));
      assert.equal(refused.length, 2);
      for (const error of refused) {
        assert.ok(error instanceof ApiError);
        assert.deepEqual([error.status, error.code, error.retryable], [429, "concurrency_limited", true]);
        assert.ok((error.retryAfterSeconds ?? 0) > 0);
      }
    });

    it("reads the stream with timestamps: the same file, and the words as written", async () => {
      const request = { text: "It costs $3.50, please. Come again!", format: "mp3", seed: 4 } as const;
      const parts: Uint8Array[] = [];
      const newest = new Map<number, readonly string[]>();
      for await (const { audio, alignment, chunk_seq } of await server.client.tts.streamWithTimestamps(request)) {
        parts.push(audio);
        if (alignment)
          newest.set(
            chunk_seq,
            alignment.segments.map(({ text }) => text),
          );
      }
      assert.deepEqual(Buffer.concat(parts), Buffer.from(await server.client.tts.convert(request)));
      assert.equal([...newest.values()].flat().join(" "), "It costs $3.50 please Come again");
    });
  });
}

async function whole(frames: AsyncIterable<{ readonly audio: Uint8Array }>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const { audio } of frames) parts.push(audio);
  return Buffer.concat(parts);
}
