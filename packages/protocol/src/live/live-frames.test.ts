import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ApiError } from "../wire/api-error.ts";
import { encodeMessagePack } from "../wire/message-pack.ts";
import {
  decodeClientFrame,
  decodeServerFrame,
  encodeLiveFrame,
  isUnreadable,
  parseLiveStart,
  type ServerFrame,
} from "./live-frames.ts";
import { createSurrogateJoiner, decodeTextPiece } from "./live-text.ts";

const rules = { maxTextCharacters: 100, models: ["s2-pro", "kokoro"] };
const fromHex = (hex: string) => Uint8Array.from(Buffer.from(hex, "hex"));

describe("frames of the client", () => {
  it("are read as they were written", () => {
    for (const frame of [
      { event: "start", request: { text: "", format: "pcm", prosody: null } },
      { event: "text", text: "" },
      { event: "text", text: "words 😀" },
      { event: "flush" },
      { event: "stop" },
    ] as const) {
      assert.deepEqual(decodeClientFrame(encodeLiveFrame(frame)), frame);
    }
  });

  it("are ignored when their event is unknown, with all their other fields", () => {
    for (const frame of [{}, { event: 5 }, { event: "hello" }, { event: "constructor" }, { event: null }]) {
      assert.equal(decodeClientFrame(encodeMessagePack(frame)), undefined);
    }
    assert.deepEqual(decodeClientFrame(encodeMessagePack({ event: "stop", more: 1 })), { event: "stop" });
  });

  it("are unreadable when they are not a MessagePack map", () => {
    for (const hex of ["", "c1", "93010203", "a568656c6c6f", "82a1", "c0", "81a1610000"]) {
      assert.throws(() => decodeClientFrame(fromHex(hex)), isUnreadable, hex);
    }
  });

  it("have a wrong shape when text is missing or not a string", () => {
    for (const frame of [{ event: "text" }, { event: "text", text: 5 }, { event: "text", text: null }]) {
      assert.throws(
        () => decodeClientFrame(encodeMessagePack(frame)),
        (error) => error instanceof ApiError && error.code === "invalid_request" && !isUnreadable(error),
      );
    }
  });

  it("may cut the text, and only the text, inside a surrogate pair", () => {
    const half = "\ud83d";
    assert.deepEqual(decodeClientFrame(encodeMessagePack({ event: "text", text: `a${half}` })), {
      event: "text",
      text: `a${half}`,
    });
    assert.deepEqual(decodeClientFrame(encodeMessagePack({ event: "start", request: { text: half, seed: 1 } })), {
      event: "start",
      request: { text: half, seed: 1 },
    });
    for (const frame of [{ event: "text", other: half }, { [half]: 1 }, { event: "start", request: { voice: half } }]) {
      assert.throws(() => decodeClientFrame(encodeMessagePack(frame)), isUnreadable);
    }
  });

  it("are read, ignored or refused, for any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        try {
          decodeClientFrame(bytes);
        } catch (error) {
          assert.ok(error instanceof ApiError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe("the request of a start", () => {
  it("needs neither text nor model", () => {
    assert.equal(parseLiveStart(undefined, {}, rules).model.name, "s2-pro");
    assert.equal(parseLiveStart("", { text: null }, rules).text, "");
    assert.equal(parseLiveStart("kokoro", { text: "a" }, rules).model.name, "kokoro");
  });

  it("is checked like other requests", () => {
    assert.throws(() => parseLiveStart("nothing", {}, rules), { code: "unknown_model" });
    assert.throws(() => parseLiveStart(undefined, { text: "x".repeat(101) }, rules), { code: "text_too_long" });
    for (const request of [undefined, null, 5, [], "text"]) {
      assert.throws(() => parseLiveStart(undefined, request, rules), /request: Expected an object/);
    }
  });
});

describe("frames of the server", () => {
  it("are read as they were written", () => {
    const frames: ServerFrame[] = [
      { event: "audio", audio: Uint8Array.of(1, 2), time: 5 },
      {
        event: "audio",
        audio: Uint8Array.of(),
        time: 5,
        content: "a",
        alignment: { segments: [{ text: "a", start: 0, end: 0.5 }], audio_duration: 0.5 },
        chunk_seq: 0,
        chunk_audio_offset_sec: 0.25,
      },
      { event: "finish", reason: "stop" },
      { event: "finish", reason: "error", message: "why" },
      { event: "log", message: "hm" },
    ];
    for (const frame of frames) {
      const read = decodeServerFrame(encodeLiveFrame(frame));
      assert.deepEqual(read?.event === "audio" ? { ...read, audio: Uint8Array.from(read.audio) } : read, frame);
    }
  });

  it("are ignored when they are unknown and unreadable when they are invalid", () => {
    assert.equal(decodeServerFrame(encodeMessagePack({ event: "news" })), undefined);
    assert.throws(() => decodeServerFrame(encodeMessagePack({ event: "audio", audio: "text" })), isUnreadable);
    assert.throws(() => decodeServerFrame(fromHex("c1")), isUnreadable);
  });
});

describe("text in pieces", () => {
  it("is restored wherever it was cut", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.array(fc.nat(4)), (text, cuts) => {
        const join = createSurrogateJoiner();
        let joined = "";
        let at = 0;
        for (const cut of [...cuts, text.length]) {
          const piece = decodeClientFrame(encodeMessagePack({ event: "text", text: text.slice(at, at + cut) }));
          const part = join(piece?.event === "text" ? piece.text : assert.fail());
          assert.doesNotMatch(part, /\p{Surrogate}/u);
          joined += part;
          at += cut;
        }
        assert.equal(joined, text);
      }),
    );
  });

  it("is refused for bytes that are neither UTF-8 nor half a surrogate pair", () => {
    for (const hex of ["ff", "c0af", "eda0", "eda0c0", "f4908080", "80"]) {
      assert.throws(() => decodeTextPiece(fromHex(hex)), /not UTF-8/, hex);
    }
    assert.equal(decodeTextPiece(fromHex("efbbbf61")), "\ufeffa");
  });
});
