import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "@parlance/client";
import { decodeAudio } from "../../../packages/speech/src/testing/decode-audio.ts";
import type { RealServer } from "../real-server.ts";

export function parlanceClientSuite(server: RealServer): void {
  describe("our own client", () => {
    it("gets a whole file and a stream", async () => {
      const file = await server.client.tts.convert({ text: "Good morning.", format: "wav", sample_rate: 24000 });
      assert.equal(decodeAudio(file).sampleRate, 24000);
      const stream = await server.client.tts.stream({ text: "Good morning.", format: "opus" });
      assert.equal(stream.contentType, "audio/ogg; codecs=opus");
      let bytes = 0;
      for await (const part of stream) bytes += part.length;
      assert.ok(bytes > 1000);
    });

    it("gets the same audio for the same seed", async () => {
      const speak = (seed: number) => server.client.tts.convert({ text: "Once more.", format: "pcm", seed });
      const [one, again, other] = [await speak(1), await speak(1), await speak(2)];
      assert.deepEqual(one, again);
      assert.notDeepEqual(one, other);
    });

    it("gets a valid file without speech for empty text, in each format", async () => {
      for (const format of ["mp3", "wav", "pcm", "opus"] as const) {
        const file = Buffer.from(await server.client.tts.convert({ text: "", format }));
        if (format === "wav") assert.equal(file.toString("latin1", 0, 4), "RIFF");
        if (format === "opus") assert.equal(file.toString("latin1", 0, 4), "OggS");
        if (format === "wav") assert.ok(file.length <= 44 + 2000, `${file.length} bytes`);
      }
    });

    it("gets errors with a code, a trace id and advice", async () => {
      await assert.rejects(server.client.tts.convert({ text: "a", model: "nothing" }), (error) => {
        assert.ok(error instanceof ApiError);
        assert.equal(error.code, "unknown_model");
        assert.equal(error.retryable, false);
        assert.match(error.traceId ?? "", /^[0-9a-f]{32}$/);
        return true;
      });
    });
  });
}
