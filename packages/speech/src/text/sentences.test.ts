import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { PLAIN_DELIVERY } from "./marks.ts";
import { MAX_SENTENCE, type Sentence, sentenceAt } from "./sentences.ts";

function sentences(text: string): Sentence[] {
  const found: Sentence[] = [];
  for (let at = 0, delivery = PLAIN_DELIVERY; at < text.length; ) {
    const sentence = sentenceAt(text, at, text.length, true, delivery);
    assert.ok(sentence !== undefined && !("open" in sentence));
    found.push(sentence);
    ({ to: at, delivery } = sentence);
  }
  return found;
}

const split = (text: string): string[] => sentences(text).map(({ from, to }) => text.slice(from, to).trim());

/** Sentences are written with "|" between them. */
describe("sentences", () => {
  for (const marked of [
    "Hello there.| How are you?| Fine!",
    "hello there.| how are you? |i am fine",
    "Mr. Smith met Dr. Jones and Mrs. Lee.| They talked.",
    "He lives in the U.S. and likes it.| She lives in the U.K.| They meet.",
    "It starts at 5 p.m. on Monday.| Be there at 4 p.m.| Call me.",
    "It starts at 5 p.m. Eastern.",
    "J. R. R. Tolkien wrote it.| C. S. Lewis read it.",
    "Pi is 3.14159 or so.| It costs $3.50.| Done.",
    "Visit example.com or www.test.org/a.b?c=d.| Then mail a.b@c.de.| Bye.",
    "Contact Dr. A. B. Smith, M.D., at noon.| A. Jones left.",
    "Bring cats, dogs, etc. and food.| Bring pens etc.| Then go.",
    "See e.g. the book, i.e. the red one, vs. the blue one.",
    "Wait... what?| Well…| Then go.",
    "“Stop!” he said.| “Why?” she asked.| “Because.”| They left.",
    '"I know."| She smiled.',
    "(He left.)| She stayed.",
    "Really?!| No way!!!| OK.",
    "See No. 5 and Fig. 3.| I said no.| Then I left.",
    "Apple Inc. CEO Tim Cook spoke.| He works at Apple Inc.| The end.",
    "He was born on Jan. 5, 1970.| It was cold.",
    "Version 2.1.3 is out.| Use v2.| It is 5.| Now 6.",
    "She lives at 45 Elm Dr.| They moved.",
    "This is the end.|The next one.| Node.js is fine.",
    "今日は。|元気ですか？|はい！",
    "नमस्ते।| कैसे हो?",
    "Great!| 🎉 Next one.",
    "He weighs 180 lbs.| Mix it.",
  ]) {
    const expected = marked.split("|").map((part) => part.trim());
    it(marked, () => {
      const text = marked.replaceAll("|", "");
      assert.deepEqual(split(text), expected);
    });
  }
});

describe("lines", () => {
  it("end a sentence in headings and lists", () => {
    assert.deepEqual(split("Title\n\nFirst line\n- one\n- two\n1. First\n2. Second"), [
      "Title",
      "First line",
      "- one",
      "- two",
      "1. First",
      "2. Second",
    ]);
  });
  it("do not end a sentence when an editor wrapped them", () => {
    const text =
      "This is a long line of an e-mail that was wrapped by its\nprogram at some column, and it was sent by Tom or by Mr Long\nJohn Silver.";
    assert.deepEqual(split(text), [text]);
  });
  it("make paragraphs when one is blank", () => {
    assert.deepEqual(
      sentences("One.\n\nTwo. Three.").map(({ boundary }) => boundary),
      ["paragraph", "sentence", "sentence"],
    );
  });
});

describe("marks", () => {
  it("end a sentence when they pause or change the speaker", () => {
    const found = sentences("Well [break] then.(long-break)<|speaker:2|> Hi. <|speaker:0|>Ho");
    assert.deepEqual(
      found.map(({ pause, delivery, boundary }) => [pause, delivery.speaker, boundary]),
      [
        [0.5, 0, "clause"],
        [1.2, 0, "sentence"],
        [0, 2, "sentence"],
        [0, 0, "sentence"],
      ],
    );
  });
  it("end a part without a pause when they change the delivery inside a sentence", () => {
    const found = sentences(
      "I am <|speed:0.8|>very<|speed:1|> tired. <|language:fr|>Oui. <|volume:-6|><|language:auto|>Yes",
    );
    assert.deepEqual(
      found.map(({ delivery: { speed, volume, language }, boundary }) => [speed, volume, language, boundary]),
      [
        [1, 0, undefined, "phrase"],
        [0.8, 0, undefined, "phrase"],
        [1, 0, undefined, "sentence"],
        [1, 0, "fr", "sentence"],
        [1, -6, undefined, "sentence"],
      ],
    );
  });
  it("are never split", () => {
    assert.deepEqual(split("I [sigh. Deeply. So.] see. Yes."), ["I [sigh. Deeply. So.] see.", "Yes."]);
  });
});

describe("very long text", () => {
  it("is split at a space, or inside a very long word", () => {
    for (const text of ["word ".repeat(1000), "x".repeat(5000), "😀".repeat(3000)]) {
      for (const { from, to } of sentences(text)) {
        assert.ok(to - from <= MAX_SENTENCE);
        assert.ok(!/^[\udc00-\udfff]/.test(text.slice(from, to)));
      }
    }
  });
  it("is open until the deciding text has arrived", () => {
    for (const text of ["Hello", "Hello.", "Hello. ", "Hello. “", "Mr. S", "Hi [bre", "Line\n"]) {
      const sentence = sentenceAt(text, 0, text.length, false, PLAIN_DELIVERY);
      assert.ok(sentence !== undefined && "open" in sentence, text);
    }
    const closed = sentenceAt("Hello. How ", 0, 11, false, PLAIN_DELIVERY);
    assert.ok(closed !== undefined && !("open" in closed) && closed.to === 7);
  });
});
