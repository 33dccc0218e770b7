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

it("reads base64 in both alphabets, with spaces anywhere and without padding", () => {
  const spaces = fc.array(fc.tuple(fc.nat(), fc.constantFrom(" ", "\n", "\r\n", "\t")), { maxLength: 5 });
  fc.assert(
    fc.property(fc.uint8Array(), spaces, fc.constantFrom("base64", "base64url"), (bytes, inserted, alphabet) => {
      let text = Buffer.from(bytes).toString(alphabet);
      for (const [place, space] of inserted) {
        const at = place % (text.length + 1);
        text = text.slice(0, at) + space + text.slice(at);
      }
      assert.deepEqual(Uint8Array.from(toAudioBytes(text) ?? assert.fail(text)), Uint8Array.from(bytes));
    }),
  );
});

it("reads no base64 with another character in it, wherever it is", () => {
  fc.assert(
    fc.property(
      fc.uint8Array(),
      fc.nat(),
      fc.constantFrom("!", "é", "\u0141", "\ud83d", "\0"),
      (bytes, place, other) => {
        const text = Buffer.from(bytes).toString("base64");
        const at = place % (text.length + 1);
        assert.equal(toAudioBytes(text.slice(0, at) + other + text.slice(at)), undefined);
      },
    ),
  );
  for (const text of ["A", "AAAAA", "AA=A", "AAA=AAAA", "AAAA=", "A===", "=AAA"]) {
    assert.equal(toAudioBytes(text), undefined, text);
  }
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
