import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError, type ValidationIssue } from "../wire/api-error.ts";
import { fromMultipart, parseAsrOptions } from "./asr-body.ts";
import { type AsrRules, checkAsrRequest } from "./asr-request.ts";

const rules: AsrRules = {
  models: ["transcribe-1", "moonshine", "whisper"],
  languages: (engine) => (engine === "moonshine" ? ["en"] : ["fr", "en", "zh"]),
};

function ask(fields: Readonly<Record<string, unknown>>, model?: string) {
  return checkAsrRequest(model, parseAsrOptions(fields, []), rules);
}

function issuesOf(fields: unknown, known: readonly ValidationIssue[]): readonly ValidationIssue[] {
  try {
    parseAsrOptions(fields, known);
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return error.issues;
    throw error;
  }
  assert.fail("it was accepted");
}

describe("a transcription request", () => {
  it("needs only the recording", () => {
    const usual = { engine: undefined, language: undefined, granularity: "segment", timestamps: true };
    assert.deepEqual(ask({}), usual);
    assert.deepEqual(ask({ language: null, ignore_timestamps: null, granularity: "" }, ""), usual);
    assert.deepEqual(ask({ something: ["else"] }, "transcribe-1"), usual);
  });

  it("accepts every option", () => {
    assert.deepEqual(ask({ language: "fr", ignore_timestamps: true, granularity: "word" }, "whisper"), {
      engine: "whisper",
      language: "fr",
      granularity: "word",
      timestamps: false,
    });
  });

  it("takes the default for a model that does not exist, where the rules say so", () => {
    const lenient = { ...rules, acceptsUnknownModels: true };
    const engineOf = (model: string) => checkAsrRequest(model, parseAsrOptions({}, []), lenient).engine;
    assert.equal(engineOf("s2-pro"), undefined);
    assert.equal(engineOf("whisper"), "whisper");
  });

  it("accepts a tag with a region, case-insensitive", () => {
    for (const tag of ["zh", "ZH", "zh-CN", "zh_Hant_TW", " zh "]) assert.equal(ask({ language: tag }).language, "zh");
  });

  it("takes the script of Chinese from the tag", () => {
    const scripts = {
      zh: undefined,
      "zh-Hans": "Hans",
      "zh-hant": "Hant",
      zh_TW: "Hant",
      "zh-HK": "Hant",
      "zh-CN": "Hans",
    };
    for (const [tag, script] of Object.entries(scripts)) assert.equal(ask({ language: tag }).script, script, tag);
    assert.equal(ask({ language: "fr-FR" }).script, undefined);
    assert.equal(ask({ language: "zh-?" }).script, undefined);
  });

  const refused: readonly (readonly [string, Readonly<Record<string, unknown>>, string | undefined, RegExp])[] = [
    ["an unknown language", { language: "xx" }, undefined, /^language: "xx" .* one of en, fr, zh$/],
    ["a language by its name", { language: "english" }, undefined, /^language: "english"/],
    ["a language that the engine lacks", { language: "fr" }, "moonshine", /^language: "fr" .* one of en$/],
    ["another granularity", { granularity: "letter" }, undefined, /^granularity: "letter" .* segment, word$/],
    ["another model", {}, "s2-pro", /^model: "s2-pro" .* transcribe-1, moonshine, whisper$/],
  ];
  for (const [name, fields, model, message] of refused) {
    it(`is refused with 400 for ${name}`, () => {
      assert.throws(
        () => ask(fields, model),
        (error) => {
          assert.ok(error instanceof ApiError);
          assert.equal(error.status, 400);
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }

  it("is refused with a 422 that lists all issues of its shape", () => {
    const fields = { language: 5, ignore_timestamps: "true", granularity: [] };
    const missing: ValidationIssue = { loc: ["audio"], type: "missing", msg: "Field required", in: "body" };
    const issues = issuesOf(fields, [missing]);
    assert.deepEqual(
      issues.map(({ loc, type }) => [loc.join("."), type]),
      [
        ["audio", "missing"],
        ["language", "string_type"],
        ["ignore_timestamps", "boolean_type"],
        ["granularity", "string_type"],
      ],
    );
    assert.deepEqual(issuesOf({}, [missing]), [missing]);
  });

  it("reads only the string true as true in multipart", () => {
    const timestamps = (ignore_timestamps: string) =>
      checkAsrRequest(undefined, parseAsrOptions(fromMultipart({ ignore_timestamps }), []), rules).timestamps;
    assert.equal(timestamps("true"), false);
    const twice = fromMultipart({ ignore_timestamps: ["true", "true"] });
    assert.deepEqual(
      issuesOf(twice, []).map(({ loc }) => loc),
      [["ignore_timestamps"]],
    );
    for (const other of ["false", "True", "1", "yes", "", "null"]) assert.equal(timestamps(other), true, other);
  });
});
