import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "@parlance/client";
import { encodeMessagePack, LIMITS } from "@parlance/protocol";
import { wavFile } from "../../../packages/speech/src/testing/wav-file.ts";
import type { RealServer } from "../real-server.ts";

const RATE = 4000;

/** Silence at a low rate with one byte for each sample, so that an hour of it is within the size limit. */
function silence(samples: number): Uint8Array<ArrayBuffer> {
  const header = wavFile([new Float32Array(0)], { sampleRate: RATE, samples: "u8", sizes: 0xffffffff });
  return new Uint8Array(Buffer.concat([header, Buffer.alloc(samples, 128)]));
}

/** The limits of the API, tested with the real decoder. */
export function asrLimitsSuite(server: RealServer): void {
  describe("the limits of a recording", () => {
    const silent = (duration: number) => ({ text: "", duration, segments: [], language: null });
    const refusal = (code: string, message: RegExp) => (error: unknown) => {
      assert.ok(error instanceof ApiError);
      assert.equal(error.code, code);
      assert.match(error.message, message);
      return true;
    };

    it("one second passes, a sample less does not", async () => {
      assert.deepEqual(await server.client.asr.transcribe(silence(RATE)), silent(1));
      await assert.rejects(
        server.client.asr.transcribe(silence(RATE - 1)),
        refusal("audio_too_short", /^audio: 0\.999 s is too short, it has to last at least 1 s$/),
      );
    });

    it("sixty minutes pass, a sample more does not", async () => {
      assert.deepEqual(await server.client.asr.transcribe(silence(3600 * RATE)), silent(3600));
      await assert.rejects(
        server.client.asr.transcribe(silence(3600 * RATE + 1)),
        refusal("audio_too_long", /^audio: 3600\.\d+ s is too long, it may last at most 3600 s/),
      );
    });

    it("twenty mebibytes pass, a byte more does not, in both encodings", async () => {
      // Two seconds of silence, and a chunk without audio for the rest of the size.
      const whole = (bytes: number): Uint8Array<ArrayBuffer> => {
        const padded = (length: number) =>
          wavFile([new Float32Array(2 * RATE)], {
            sampleRate: RATE,
            chunks: [{ name: "JUNK", bytes: new Uint8Array(length) }],
          });
        // Chunks have an even length, so an odd byte comes after the last one.
        const even = padded(bytes - (bytes % 2) - padded(0).length);
        assert.equal(even.length, bytes - (bytes % 2));
        const file = new Uint8Array(bytes);
        file.set(even);
        return file;
      };
      const post = (body: FormData | Uint8Array<ArrayBuffer>, type?: string) =>
        fetch(`${server.url}/v1/asr`, {
          method: "POST",
          headers: { authorization: `Bearer ${server.key}`, ...(type === undefined ? {} : { "content-type": type }) },
          body,
        });
      const form = (audio: Uint8Array<ArrayBuffer>) => {
        const data = new FormData();
        data.append("audio", new Blob([audio]));
        return post(data);
      };
      const packed = (audio: Uint8Array) => post(encodeMessagePack({ audio }), "application/msgpack");
      for (const send of [form, packed]) {
        const taken = await send(whole(LIMITS.asrFileBytes));
        assert.equal(taken.status, 200, await taken.clone().text());
        assert.equal(((await taken.json()) as { text: string }).text, "");
        assert.equal((await send(whole(LIMITS.asrFileBytes + 1))).status, 413);
      }
    });
  });
}
