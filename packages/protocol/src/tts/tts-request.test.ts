import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ApiError } from "../wire/api-error.ts";
import { AUDIO_FORMATS, FORMAT_RULES, MP3_BITRATES } from "./formats.ts";
import { DEFAULT_MODEL, MODEL_ALIASES, MODEL_NAMES } from "./models.ts";
import { parseTtsRequest, type TtsRequest } from "./tts-request.ts";

const rules = { maxTextCharacters: 30, models: MODEL_NAMES };
const parse = (body: unknown, model: string | undefined = DEFAULT_MODEL): TtsRequest =>
  parseTtsRequest(model, body, rules);

function refusal(body: unknown, model?: string): ApiError {
  try {
    parse(body, model);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  return assert.fail(`accepted ${JSON.stringify(body)}`);
}

describe("a synthesis request", () => {
  it("needs only text, and gets all defaults", () => {
    assert.deepEqual(parse({ text: "Hello" }), {
      model: { name: "s2-pro", engine: undefined },
      text: "Hello",
      referenceIds: [],
      references: [],
      language: undefined,
      pronunciations: undefined,
      format: "mp3",
      sampleRate: 44100,
      mp3Bitrate: 128,
      opusBitrate: "auto",
      latency: "balanced",
      chunkLength: 200,
      minChunkLength: 50,
      normalize: true,
      speed: 1,
      volume: 0,
      normalizeLoudness: false,
      temperature: 0.7,
      topP: 0.7,
      seed: undefined,
    } satisfies TtsRequest);
  });

  it("treats null and empty strings as absent, but accepts an empty text", () => {
    const sparse = {
      text: "",
      reference_id: null,
      references: null,
      format: "",
      sample_rate: null,
      mp3_bitrate: null,
      opus_bitrate: null,
      latency: "",
      chunk_length: null,
      min_chunk_length: "",
      normalize: null,
      prosody: { speed: null, volume: "", normalize_loudness: null },
      temperature: null,
      top_p: null,
      seed: null,
    };
    assert.deepEqual(parse(sparse), parse({ text: "" }));
    assert.deepEqual(parse({ text: "a", prosody: null, references: [] }), parse({ text: "a" }));
  });

  it("ignores unknown keys and options without effect, whatever their values", () => {
    const extra = {
      text: "a",
      repetition_penalty: "x",
      max_new_tokens: 1,
      condition_on_previous_chunks: true,
      early_stop_threshold: 2,
      features: [{}],
      no_such_field: [1],
    };
    assert.deepEqual(parse(extra), parse({ text: "a" }));
  });

  it("is not confused by a key named __proto__", () => {
    assert.deepEqual(parse(JSON.parse('{"text":"a","__proto__":{"format":"wav"}}')), parse({ text: "a" }));
  });

  it("accepts one voice or one for each speaker", () => {
    assert.deepEqual(parse({ text: "a", reference_id: "x" }).referenceIds, ["x"]);
    assert.deepEqual(parse({ text: "a", reference_id: ["x", "y"] }).referenceIds, ["x", "y"]);
    assert.deepEqual(parse({ text: "a", reference_id: [] }).referenceIds, []);
    assert.deepEqual(parse({ text: "a", reference_id: ["", "y"] }).referenceIds, ["", "y"]);
    const crowd = Array.from({ length: 33 }, (_, index) => `voice-${index}`);
    assert.match(refusal({ text: "a", reference_id: crowd }).message, /reference_id: "33 voices" .* at most 32/);
  });

  it("knows the aliases of the default model and the engines", () => {
    for (const alias of MODEL_ALIASES) assert.equal(parse({ text: "a" }, alias).model.engine, undefined);
    assert.equal(parse({ text: "a" }, "kokoro").model.engine, "kokoro");
    const error = refusal({ text: "a" }, "gpt-9");
    assert.equal(error.code, "unknown_model");
    assert.equal(error.message, `model: "gpt-9" is not available, use one of ${MODEL_NAMES.join(", ")}`);
  });

  it("accepts exactly the sample rates of each format", () => {
    for (const format of AUDIO_FORMATS) {
      assert.equal(parse({ text: "a", format }).sampleRate, FORMAT_RULES[format].defaultSampleRate);
      for (const rate of [8000, 11025, 16000, 22050, 24000, 32000, 44100, 48000, 96000]) {
        const body = { text: "a", format, sample_rate: rate };
        if (FORMAT_RULES[format].sampleRates.includes(rate)) assert.equal(parse(body).sampleRate, rate);
        else
          assert.match(refusal(body).message, new RegExp(`^sample_rate: ${rate} is not allowed, .* format ${format}`));
      }
    }
  });

  it("accepts the rates that clients send for mp3, wav and pcm", () => {
    for (const format of ["mp3", "wav", "pcm"]) {
      for (const rate of [11025, 12000, 22050, 24000])
        assert.equal(parse({ text: "a", format, sample_rate: rate }).sampleRate, rate);
    }
  });

  it("accepts opus bitrates in kbit/s and bit/s, and ignores them for other formats", () => {
    const opus = (opus_bitrate: number) => parse({ text: "a", format: "opus", opus_bitrate }).opusBitrate;
    assert.equal(opus(-1000), "auto");
    assert.equal(opus(24), 24_000);
    assert.equal(opus(64_000), 64_000);
    assert.equal(parse({ text: "a", format: "mp3", opus_bitrate: 17 }).opusBitrate, "auto");
    assert.match(refusal({ text: "a", format: "opus", opus_bitrate: 17 }).message, /^opus_bitrate: 17 .* 24000/);
  });

  it("accepts only the listed mp3 bitrates", () => {
    for (const bitrate of MP3_BITRATES) assert.equal(parse({ text: "a", mp3_bitrate: bitrate }).mp3Bitrate, bitrate);
    assert.match(refusal({ text: "a", mp3_bitrate: 320 }).message, /^mp3_bitrate: 320 .* 64, 128, 192/);
  });

  it("reads low as balanced", () => {
    assert.equal(parse({ text: "a", latency: "low" }).latency, "balanced");
    assert.equal(parse({ text: "a", latency: "normal" }).latency, "normal");
    assert.match(refusal({ text: "a", latency: "fast" }).message, /^latency: "fast" .* balanced, normal, low/);
  });

  it("counts characters, not UTF-16 units, against the limit", () => {
    assert.equal(parse({ text: "😀".repeat(30) }).text.length, 60);
    const error = refusal({ text: "😀".repeat(31) });
    assert.equal(error.code, "text_too_long");
    assert.equal(error.message, "text: 31 characters, at most 30 are allowed");
  });

  it("refuses unsafe integers as a seed", () => {
    assert.equal(parse({ text: "a", seed: -5 }).seed, -5);
    assert.equal(refusal({ text: "a", seed: 2 ** 60 }).code, "invalid_value");
  });

  it("accepts reference audio, up to a number of recordings", () => {
    const references = [{ audio: "AQI=", text: "hi" }, { audio: [3] }];
    assert.deepEqual(parse({ text: "a", references }).references, [
      [{ audio: Uint8Array.of(1, 2), text: "hi" }, { audio: Uint8Array.of(3) }],
    ]);
    assert.deepEqual(
      parse({ text: "a", references: [[...references], [], [{ audio: [4], text: null }]] }).references.map((each) =>
        each.map(({ audio }) => [...audio]),
      ),
      [[[1, 2], [3]], [], [[4]]],
    );
    assert.deepEqual(parse({ text: "a", references: [[], []] }).references, []);
    assert.deepEqual(refusal({ text: "a", references: [[{ audio: "AQI=" }], [{ audio: 7 }]] }).issues[0]?.loc, [
      "references",
      "1",
      "0",
      "audio",
    ]);
    const many = Array.from({ length: 7 }, () => ({ audio: "AQI=" }));
    assert.match(refusal({ text: "a", references: [many, many, many] }).message, /"21 recordings".*at most 20/);
    const empty = Array.from({ length: 5000 }, () => []);
    assert.match(refusal({ text: "a", references: empty }).message, /"5000 speakers".*at most 32/);
    assert.deepEqual(parse({ text: "a" }).references, []);
    const error = refusal({ text: "a", references: Array.from({ length: 21 }, () => ({ audio: "AQI=" })) });
    assert.equal(error.status, 400);
    assert.match(error.message, /^references: "21 recordings" is not allowed, at most 20/);
  });

  it("reports the shape before the values, and all of its issues at once", () => {
    const error = refusal({ format: "midi", sample_rate: "44100", normalize: 1, prosody: { speed: "2" } });
    assert.equal(error.status, 422);
    assert.deepEqual(
      error.issues.map((issue) => [issue.loc.join("."), issue.type, issue.in]),
      [
        ["text", "missing", "body"],
        ["sample_rate", "number_type", "body"],
        ["normalize", "boolean_type", "body"],
        ["prosody.speed", "number_type", "body"],
      ],
    );
  });

  it("lists a missing model header beside what is wrong with the body", () => {
    for (const header of [undefined, ""]) {
      assert.throws(
        () => parseTtsRequest(header, { text: 5 }, rules),
        (error) =>
          error instanceof ApiError &&
          error.issues.map((issue) => `${issue.in} ${issue.loc} ${issue.type}`).join() ===
            "header model missing,body text string_type",
      );
    }
  });

  it("reports the first invalid value in the order of the fields", () => {
    assert.match(refusal({ text: "a", temperature: 9, format: "midi", chunk_length: 1 }).message, /^format: "midi"/);
    assert.match(refusal({ text: "a", temperature: 9, chunk_length: 1 }).message, /^chunk_length: 1 /);
  });
});

describe("a number with bounds", () => {
  const cases: readonly (readonly [string, number, number, (value: number) => unknown])[] = [
    ["chunk_length", 100, 300, (value) => ({ chunk_length: value })],
    ["min_chunk_length", 0, 100, (value) => ({ min_chunk_length: value })],
    ["temperature", 0, 1, (value) => ({ temperature: value })],
    ["top_p", 0, 1, (value) => ({ top_p: value })],
    ["prosody.speed", 0.5, 2, (value) => ({ prosody: { speed: value } })],
    ["prosody.volume", -20, 20, (value) => ({ prosody: { volume: value } })],
  ];
  for (const [field, min, max, place] of cases) {
    it(`${field} goes from ${min} to ${max}`, () => {
      const body = (value: number) => ({ text: "a", ...(place(value) as object) });
      parse(body(min));
      parse(body(max));
      const step = field.includes("chunk") ? 1 : 0.01;
      for (const value of [min - step, max + step]) {
        const error = refusal(body(value));
        assert.equal(error.status, 400);
        assert.equal(error.message, `${field}: ${value} is not allowed, it must be from ${min} to ${max}`);
      }
    });
  }
});

describe("a wrong type", () => {
  const cases: readonly (readonly [string, unknown, string])[] = [
    ["text", 5, "string_type"],
    ["reference_id", 5, "string_type"],
    ["reference_id", ["a", 5], "string_type"],
    ["references", "x", "array_type"],
    ["format", 5, "string_type"],
    ["sample_rate", 44100.5, "int_type"],
    ["sample_rate", Number.NaN, "number_type"],
    ["mp3_bitrate", "128", "number_type"],
    ["opus_bitrate", [], "number_type"],
    ["latency", 1, "string_type"],
    ["chunk_length", 200.5, "int_type"],
    ["normalize", "true", "boolean_type"],
    ["prosody", 1, "object_type"],
    ["temperature", "0.7", "number_type"],
    ["seed", 1.5, "int_type"],
  ];
  for (const [field, value, type] of cases) {
    it(`of ${field} (${JSON.stringify(value)}) is a 422 that names it`, () => {
      const error = refusal({ text: "a", [field]: value });
      assert.equal(error.status, 422);
      assert.equal(error.issues[0]?.loc[0], field);
      assert.equal(error.issues[0]?.type, type);
    });
  }

  it("of the whole body is a 422 too", () => {
    for (const body of [undefined, null, "text", 5, [], new Uint8Array(3)]) assert.equal(refusal(body).status, 422);
    assert.deepEqual(refusal(undefined).issues, [
      { loc: ["body"], type: "missing", msg: "Field required", in: "body" },
    ]);
  });
});
