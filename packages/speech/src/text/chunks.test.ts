import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Chunker, type ChunkOptions, planChunks } from "./chunks.ts";
import type { SpeechChunk } from "./types.ts";

const OPTIONS: ChunkOptions = {
  latency: "balanced",
  chunkLength: 200,
  minChunkLength: 50,
  normalize: true,
  languageOf: () => "en-us",
};

const plan = (text: string, options: Partial<ChunkOptions> = {}): SpeechChunk[] => [
  ...planChunks(text, { ...OPTIONS, ...options }),
];
const pieces = (text: string, options: Partial<ChunkOptions> = {}): string[] =>
  plan(text, options).map(({ from, to }) => text.slice(from, to));
const said = ({ words }: SpeechChunk): string => words.map((word) => word.text + word.after).join(" ");

const STORY =
  "The old house at the end of the lane, which nobody had entered for years, stood dark and silent that night. " +
  "A light went on. Then it went out again. Tom, who had been watching from the other side of the street, held his breath. " +
  "Nothing moved; even the wind, it seemed, was waiting for something that only the house knew about.";

describe("a balanced plan", () => {
  it("starts with a short first clause", () => {
    assert.equal(pieces(STORY)[0], "The old house at the end of the lane, ");
  });
  it("splits before a conjunction without punctuation", () => {
    const text =
      "The quick brown fox jumps over the lazy dog while the cat sleeps on the warm windowsill in the afternoon sun and dreams.";
    assert.equal(pieces(text)[0], "The quick brown fox jumps over the lazy dog ");
  });
  it("does not start with a very short chunk", () => {
    assert.deepEqual(pieces("Hi! How are you today?"), ["Hi! How are you today?"]);
    const [first] = plan("Yes, of course I can tell you everything about the history of this town, if you like.");
    assert.ok((first?.words.length ?? 0) > 1);
  });
  it("makes one chunk of a short text", () => {
    assert.deepEqual(pieces("Yes."), ["Yes."]);
    assert.deepEqual(pieces("Hello, world!"), ["Hello, world!"]);
  });
  it("continues with whole sentences, and joins short ones", () => {
    assert.deepEqual(pieces(STORY).slice(1), [
      "which nobody had entered for years, stood dark and silent that night. A light went on. Then it went out again. ",
      "Tom, who had been watching from the other side of the street, held his breath. ",
      "Nothing moved; even the wind, it seemed, was waiting for something that only the house knew about.",
    ]);
  });
  it("does not join sentences with a minimum length of 0", () => {
    assert.deepEqual(pieces("One two three four. Five. Six. Seven.", { minChunkLength: 0 }), [
      "One two three four. ",
      "Five. ",
      "Six. ",
      "Seven.",
    ]);
  });
});

describe("a normal plan", () => {
  it("joins whole sentences up to the chunk length", () => {
    const chunks = pieces(STORY, { latency: "normal" });
    assert.deepEqual(
      chunks.map((chunk) => chunk.length),
      [149, 177],
    );
    assert.ok(chunks.every((chunk) => /[.!?]\s*$/.test(chunk)));
  });
  it("splits a long sentence at a clause near the chunk length", () => {
    const text = `${"The council met again, and the members talked for hours about the bridge, ".repeat(6)}until they left.`;
    const chunks = pieces(text, { latency: "normal", chunkLength: 150 });
    assert.ok(
      chunks.slice(0, -1).every((chunk) => chunk.endsWith(", ") && chunk.length > 70 && chunk.length <= 160),
      chunks.join("|"),
    );
  });
  it("does not join paragraphs", () => {
    assert.deepEqual(pieces("One.\n\nTwo.", { latency: "normal" }), ["One.\n\n", "Two."]);
  });
});

describe("marks in a plan", () => {
  it("a pause ends a chunk and belongs to it", () => {
    const text = "Well, [break] hello there. [long-break] (break) Bye.";
    assert.deepEqual(
      plan(text).map((chunk) => [said(chunk), chunk.pauseAfter]),
      [
        ["Well,", 0.5],
        ["hello there.", 1.7],
        ["Bye.", 0],
      ],
    );
  });
  it("a pause at the very start is a chunk without words", () => {
    assert.deepEqual(
      plan("[break] Hello.").map((chunk) => [said(chunk), chunk.pauseAfter]),
      [
        ["", 0.5],
        ["Hello.", 0],
      ],
    );
  });
  it("consecutive pauses have a maximum", () =>
    assert.equal(plan(`Hi. ${"[long-break]".repeat(100)}`)[0]?.pauseAfter, 10));
  it("a change of speaker ends a chunk and selects the language", () => {
    const text = "I have 2. <|speaker:1|>Tengo 2. <|speaker:0|>And 3.";
    const chunks = plan(text, { languageOf: (speaker) => (speaker === 1 ? "es" : "en-us") });
    assert.deepEqual(
      chunks.map((chunk) => [chunk.speaker, said(chunk)]),
      [
        [0, "I have two."],
        [1, "Tengo dos."],
        [0, "And three."],
      ],
    );
  });
  it("a change of speed or volume ends a chunk", () => {
    const chunks = plan("Now <|speed:0.8|><|volume:3|>slow and loud<|speed:1|><|volume:0|> again.");
    assert.deepEqual(
      chunks.map((chunk) => [said(chunk), chunk.speed, chunk.volume, chunk.boundary]),
      [
        ["Now", undefined, undefined, "phrase"],
        ["slow and loud", 0.8, 3, "phrase"],
        ["again.", undefined, undefined, "sentence"],
      ],
    );
  });
  it("spelled words are named character by character, and keep their ranges", () => {
    const text = "Code <|spell_start|>nasa a4-7<|spell_end|> is <|spell_start|>I<|spell_end|>.";
    const words = plan(text).flatMap((chunk) => chunk.words);
    assert.deepEqual(
      words.map((word) => word.text + word.after),
      ["Code", "N.A.S.A", "eigh", "four", "seven", "is", "eye."],
    );
    assert.deepEqual(
      words.map(({ from, to }) => text.slice(from, to)),
      ["Code", "nasa", "a4-7", "a4-7", "a4-7", "is", "I"],
    );
    const spanish = plan("<|spell_start|>A2<|spell_end|>", { languageOf: () => "es", normalize: false });
    assert.deepEqual(
      spanish.flatMap((chunk) => chunk.words.map((word) => word.text)),
      ["A", "dos"],
    );
  });
  it("silent text belongs to a neighbouring chunk", () => {
    assert.deepEqual(pieces("😀 Hello there, friend. 🎉🎉\n\n😀"), ["😀 Hello there, friend. 🎉🎉\n\n😀"]);
  });
});

describe("texts without words", () => {
  for (const text of ["😀", "   ", "...", "[happy]", "<|speaker:1|>"]) {
    it(`${JSON.stringify(text)} is one silent chunk`, () => {
      const [chunk, ...rest] = plan(text);
      assert.deepEqual([chunk?.from, chunk?.to, chunk?.words.length, rest.length], [0, text.length, 0, 0]);
    });
  }
  it("an empty text has no chunk", () => assert.deepEqual(plan(""), []));
});

describe("an incomplete text", () => {
  const feed = (chunker: Chunker, text: string, hurry: boolean): string[] => {
    const given: string[] = [];
    for (const token of text.match(/.{1,4}/gsu) ?? []) {
      chunker.push(token);
      for (let chunk = chunker.next({ hurry }); chunk !== undefined; chunk = chunker.next({ hurry }))
        given.push(said(chunk));
    }
    return given;
  };
  it("returns a sentence when it is certainly complete", () => {
    const chunker = new Chunker(OPTIONS);
    chunker.push("Dr. Smith paid $3.50 for the coffee.");
    assert.equal(chunker.next(), undefined);
    chunker.push(" He");
    assert.equal(chunker.next(), undefined, "“He” may still become “He's”, and the sentence an abbreviation's");
    chunker.push(" was");
    assert.equal(
      said(chunker.next() ?? assert.fail()),
      "doctor Smith paid three dollars and fifty cents for the coffee.",
    );
  });
  it("returns clauses of an incomplete sentence only in a hurry", () => {
    const text =
      "Well, the rent is due on March 3, 2021 at noon, without exception, for everybody who lives in this house or near";
    assert.deepEqual(feed(new Chunker(OPTIONS), text, false), []);
    assert.deepEqual(feed(new Chunker(OPTIONS), text, true), [
      "Well, the rent is due on March third, twenty twenty-one at noon,",
      "without exception,",
    ]);
  });
  it("returns everything after a flush, and continues", () => {
    const chunker = new Chunker(OPTIONS);
    chunker.push("Let me see");
    assert.equal(chunker.next(), undefined);
    chunker.flush();
    chunker.push(" now. Yes");
    assert.equal(said(chunker.next() ?? assert.fail()), "Let me see");
    chunker.finish();
    assert.equal(said(chunker.next() ?? assert.fail()), "now. Yes");
    assert.equal(chunker.next(), undefined);
    assert.ok(chunker.done);
  });
  it("does not speak a mark that arrives in pieces", () => {
    const chunker = new Chunker(OPTIONS);
    const given = feed(chunker, "Hello there, my friends. [lau", true);
    chunker.push("ghing] Bye.");
    chunker.finish();
    for (let chunk = chunker.next(); chunk !== undefined; chunk = chunker.next()) given.push(said(chunk));
    assert.equal(given.join(" "), "Hello there, my friends. Bye.");
  });
});
