import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "../wire/api-error.ts";
import { LIMITS } from "../wire/limits.ts";
import { fromMultipart, parseAsrOptions } from "./asr-body.ts";
import { checkAsrRequest } from "./asr-request.ts";
import { toSrt, toVtt } from "./asr-subtitles.ts";
import { toSpokenText } from "./asr-turns.ts";
import { freeLabel, speakerLabels } from "./speaker-labels.ts";

const rules = { models: ["transcribe-1"], languages: () => ["en"] };
const ask = (fields: Readonly<Record<string, unknown>>) =>
  checkAsrRequest(undefined, parseAsrOptions(fields, []), rules).speakers;

describe("a request for speakers", () => {
  it("is true, a number, or voices that may speak", () => {
    assert.equal(ask({}), undefined);
    assert.equal(ask({ speakers: false, known_speakers: "v" }), undefined);
    assert.deepEqual(ask({ speakers: true }), { count: undefined, voices: [] });
    assert.deepEqual(ask({ speakers: 3 }), { count: 3, voices: [] });
    assert.deepEqual(ask({ known_speakers: ["v", "w"] }), { count: undefined, voices: ["v", "w"] });
    assert.deepEqual(ask(fromMultipart({ speakers: "2", known_speakers: "v" })), { count: 2, voices: ["v"] });
    assert.deepEqual(ask(fromMultipart({ speakers: "true" })), { count: undefined, voices: [] });
    assert.equal(ask(fromMultipart({ speakers: "false" })), undefined);
  });

  it("is refused beyond its limits, and with another shape", () => {
    const status = (fields: Readonly<Record<string, unknown>>): number => {
      try {
        ask(fields);
      } catch (error) {
        if (error instanceof ApiError) return error.status;
      }
      return 200;
    };
    const { count, known } = LIMITS.asrSpeakers;
    for (const speakers of [0, -1, 1.5, count + 1, Number.NaN]) assert.ok(status({ speakers }) >= 400, `${speakers}`);
    assert.equal(status({ speakers: count }), 200);
    assert.equal(status({ known_speakers: Array(known + 1).fill("v") }), 400);
    for (const speakers of ["yes", "-1", ["2", "3"]]) assert.equal(status(fromMultipart({ speakers })), 422);
  });
});

describe("speakers of a transcript", () => {
  const segments = [
    { text: "Hello.", start: 0, end: 1, speaker: "A" },
    { text: "How are you?", start: 1, end: 2, speaker: "A" },
    { text: "Fine.", start: 2, end: 3, speaker: "Ann <x>" },
  ];

  it("have names, or letters that are no known name", () => {
    const speaker = (name?: string) => ({ name, seconds: 1, embedding: [] });
    assert.deepEqual(speakerLabels([speaker(), speaker("A"), speaker(), speaker("Ann")]), ["B", "A", "C", "Ann"]);
    assert.equal(freeLabel(new Set(Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i)))), "AA");
  });

  it("are written before their turns, and into subtitles", () => {
    assert.equal(toSpokenText("text", segments), "A: Hello. How are you?\n\nAnn <x>: Fine.");
    assert.equal(toSpokenText("text", [{ text: "Hello.", start: 0, end: 1 }]), "text");
    assert.match(toSrt(segments), /\nAnn <x>: Fine\.\n$/);
    assert.match(toVtt(segments), /\n<v Ann &lt;x&gt;>Fine\.\n$/);
  });
});
