import assert from "node:assert/strict";
import { it } from "node:test";
import fc from "fast-check";
import { toAudioBytes } from "./reference-audio.ts";
import { parseTtsBody } from "./tts-body.ts";

it("reads the same bytes from every encoding that clients use", () => {
  fc.assert(
    fc.property(fc.uint8Array(), (bytes) => {
      const plain = Uint8Array.from(bytes);
      for (const spelled of [bytes, Buffer.from(bytes).toString("base64"), [...bytes], Buffer.from(bytes).toJSON()]) {
        assert.deepEqual(Uint8Array.from(toAudioBytes(spelled) ?? []), plain);
      }
    }),
  );
});

it("puts bytes into the parsed request and names the reference whose audio is unreadable", () => {
  assert.deepEqual(parseTtsBody({ text: "a", references: [{ audio: "AQI=", text: null }] }).references, [
    { audio: Uint8Array.of(1, 2) },
  ]);
  for (const audio of ["not base64!", [256], [-1], [1.5], { type: "Buffer" }, 7]) {
    assert.throws(
      () => parseTtsBody({ text: "a", references: [{ audio: "AQI=" }, { audio }] }),
      (error: Error & { issues?: unknown }) => {
        assert.match(JSON.stringify(error.issues), /"loc":\["references","1","audio"\],"type":"audio_encoding"/);
        return true;
      },
    );
  }
});
