import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { arpabetToIpa, asIpa } from "./arpabet.ts";
import { LONG_PAUSE_SECONDS, type MarkAt, markAt, SHORT_PAUSE_SECONDS } from "./marks.ts";

const mark = (text: string, at = 0): MarkAt => markAt(text, at, text.length, true);
const kind = (text: string): string | undefined => {
  const found = mark(text);
  return typeof found === "object" ? found.kind : found;
};

describe("pause marks", () => {
  for (const [text, seconds] of [
    ["[break]", SHORT_PAUSE_SECONDS],
    ["(break)", SHORT_PAUSE_SECONDS],
    ["[long-break]", LONG_PAUSE_SECONDS],
    ["(long-break)", LONG_PAUSE_SECONDS],
    ["[Long Break]", LONG_PAUSE_SECONDS],
    ["[ BREAK ]", SHORT_PAUSE_SECONDS],
    ["[break 800ms]", 0.8],
    ["[break 2s]", 2],
    ["[Break 1.5 s]", 1.5],
    ["[break 99999ms]", 10],
    ["[break 60s]", 10],
  ] as const) {
    it(`${text} pauses for ${seconds} s`, () =>
      assert.deepEqual(mark(text), { kind: "pause", to: text.length, seconds }));
  }
});

describe("cues", () => {
  for (const text of [
    "[happy]",
    "[sighs]",
    "[voice rough from crying, trying to sound normal]",
    "[低声说]",
    "(happy)",
    "(Soft tone)",
    "(in a hurry tone)",
    "(very excited)",
    "(crowd laughing)",
  ]) {
    it(`${text} is never spoken`, () => assert.equal(kind(text), "silent"));
  }
  for (const text of [
    "(see below)",
    "(he was happy)",
    "(2021)",
    "[1]",
    "[12, 13]",
    "(",
    "[",
    "[]",
    "[unclosed",
    "(happy",
    "[a\nb]",
    "[[happy]",
    `[${"long ".repeat(40)}]`,
  ]) {
    it(`${JSON.stringify(text).slice(0, 40)} is ordinary text`, () => assert.equal(mark(text), undefined));
  }
  it("the text of a link is spoken, its URL is not", () => {
    const text = "[the guide](https://example.com/a) now";
    assert.equal(mark(text), undefined);
    assert.deepEqual(mark(text, 11), { kind: "silent", to: 34 });
  });
});

describe("control tokens", () => {
  it("switch the speaker", () => {
    assert.deepEqual(mark("<|speaker:12|>"), { kind: "speaker", to: 14, speaker: 12 });
  });
  it("give phonemes, in ARPAbet or IPA", () => {
    const arpabet = "<|phoneme_start|>HH AH0 L OW1<|phoneme_end|>";
    assert.deepEqual(mark(arpabet), { kind: "phonemes", from: 17, end: 29, to: arpabet.length, ipa: "həlˈoʊ" });
    const ipa = "<|phoneme_start|> /təmˈɑːtoʊ/ <|phoneme_end|>";
    assert.deepEqual(mark(ipa), { kind: "phonemes", from: 18, end: 29, to: ipa.length, ipa: "təmˈɑːtoʊ" });
  });
  it("change the delivery, within the limits of a request", () => {
    for (const [text, change] of [
      ["<|speed:1.25|>", { speed: 1.25 }],
      ["<|speed:9|>", { speed: 2 }],
      ["<|volume:+6|>", { volume: 6 }],
      ["<|volume:-99|>", { volume: -20 }],
      ["<|language:pt-BR|>", { language: "pt-BR" }],
      ["<|language:auto|>", { language: undefined }],
    ] as const) {
      assert.deepEqual(mark(text), { kind: "delivery", to: text.length, change });
    }
  });
  it("spell out", () => {
    const text = "<|spell_start|>NASA<|spell_end|>";
    assert.deepEqual(mark(text), { kind: "spelled", from: 15, end: 19, to: text.length });
  });
  for (const text of [
    "<|unknown|>",
    "<|speed:fast|>",
    "<|language:english please|>",
    "<|spell_start|>NASA",
    "<|spell_start|> <|spell_end|>",
    "<|speaker:|>",
    "<|speaker:x|>",
    "<|phoneme_end|>",
    "<|phoneme_start|>HH AH0",
    "<|phoneme_start|>gong1 cheng2<|phoneme_end|>",
    "<|phoneme_start|><|phoneme_end|>",
    "<|unclosed",
    "<|<|",
    "<||>",
  ]) {
    it(`${text} is silent`, () => assert.equal(kind(text), "silent"));
  }
  it("keep the text after an unclosed token", () => assert.deepEqual(mark("<|oops hello"), { kind: "silent", to: 2 }));
});

describe("a mark that is still arriving", () => {
  for (const text of [
    "[",
    "[bre",
    "[happy]",
    "(",
    "(hap",
    "<",
    "<|",
    "<|speaker:1",
    "<|speaker:1|",
    "<|phoneme_start|>HH AH0",
    "<|phoneme_start|>HH<|phon",
    "[break 8",
    "[break 800m",
    "<|spell_start|>NA",
  ]) {
    it(`${text} is open until more is known`, () => assert.equal(markAt(text, 0, text.length, false), "open"));
  }
  for (const text of ["[break]", "(break)", "(not a cue, 5", "[1", "<3", "<|speaker:1|>"]) {
    it(`${text} is decided at once`, () => assert.notEqual(markAt(text, 0, text.length, false), "open"));
  }
  it("is not decided differently later", () => {
    const piece = fc.constantFrom(
      "[",
      "]",
      "(",
      ")",
      "<|",
      "|>",
      "break",
      "happy",
      "speaker:1",
      "phoneme_start",
      "phoneme_end",
      " ",
      "AH0",
      "x",
      "\n",
      "/",
      "http://",
      "break 8",
      "00ms",
      "spell_start",
      "spell_end",
      "speed:1.5",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.nat(60), (pieces, cut) => {
        const text = pieces.join("");
        const end = Math.min(cut, text.length);
        const early = markAt(text, 0, end, false);
        if (early !== "open" && end > 0) assert.deepEqual(markAt(text, 0, text.length, true), early);
      }),
    );
  });
});

describe("ARPAbet", () => {
  for (const [arpabet, ipa] of [
    ["HH AH0 L OW1", "həlˈoʊ"],
    ["W ER1 L D", "wˈɜːld"],
    ["K AA1 R", "kˈɑːɹ"],
    ["DH IH1 S", "ðˈɪs"],
    ["T AH0 M EY1 T OW2", "təmˈeɪtˌoʊ"],
    ["B ER1 D IY0", "bˈɜːdi"],
    ["CH IY1 R", "tʃˈɪɹ"],
    ["hh ah0 l ow1", "həlˈoʊ"],
  ] as const) {
    it(`${arpabet} is ${ipa}`, () => assert.equal(arpabetToIpa(arpabet), ipa));
  }
  it("does not match other text", () => {
    for (const text of ["", "hello", "HH AH9", "gong1 cheng2", "B1"]) assert.equal(arpabetToIpa(text), undefined, text);
  });
  it("leaves IPA unchanged", () => {
    assert.equal(asIpa("[həˈləʊ]"), "həˈləʊ");
    assert.equal(asIpa("ni3 hao3"), undefined);
    assert.equal(asIpa("  "), undefined);
  });
});
