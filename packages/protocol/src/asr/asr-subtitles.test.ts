import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { toSrt, toVtt } from "./asr-subtitles.ts";

const spoken = [
  { text: "Good morning.", start: 0.5, end: 1.25 },
  { text: "It is late.", start: 3599.9996, end: 3661.0014 },
];

describe("subtitles", () => {
  it("are written as SubRip", () => {
    assert.equal(
      toSrt(spoken),
      "1\n00:00:00,500 --> 00:00:01,250\nGood morning.\n\n2\n01:00:00,000 --> 01:01:01,001\nIt is late.\n",
    );
    assert.equal(toSrt([]), "");
  });

  it("are written as WebVTT", () => {
    assert.equal(
      toVtt(spoken),
      "WEBVTT\n\n00:00:00.500 --> 00:00:01.250\nGood morning.\n\n01:00:00.000 --> 01:01:01.001\nIt is late.\n",
    );
    assert.equal(toVtt([]), "WEBVTT\n");
  });

  it("escape text that looks like markup", () => {
    const text = "<b>Tom</b> & Ann --> x";
    assert.match(toVtt([{ text, start: 0, end: 1 }]), /\n&lt;b&gt;Tom&lt;\/b&gt; &amp; Ann --&gt; x\n/);
    assert.match(toSrt([{ text, start: 0, end: 1 }]), /\n<b>Tom<\/b> & Ann → x\n/);
    assert.match(toSrt([{ text: "one\n\n2\n", start: 0, end: 1 }]), /\none 2\n$/);
  });

  it("cut long segments into cues of two lines that share the time", () => {
    const text = "This is a sentence that goes on and on, ".repeat(6).trim();
    const cues = toSrt([{ text, start: 10, end: 34 }])
      .trim()
      .split("\n\n");
    assert.equal(cues.length, 3);
    assert.match(cues[0] ?? "", /^1\n00:00:10,000 --> /);
    assert.match(cues.at(-1) ?? "", / --> 00:00:34,000\n/);
    for (const cue of cues) {
      const lines = cue.split("\n").slice(2);
      assert.ok(lines.length <= 2);
      for (const line of lines) assert.ok(line.length <= 42 && line.length >= 10, line);
    }
  });

  it("break Chinese and Japanese between characters, and not before punctuation", () => {
    const text = "今日はとてもいい天気ですから、みんなで公園へ行って、そこでお弁当を食べましょう。";
    const lines = toVtt([{ text, start: 0, end: 5 }])
      .trim()
      .split("\n")
      .slice(3);
    assert.equal(lines.length, 2);
    assert.equal(lines.join(""), text);
    for (const line of lines) assert.ok(line.length <= 22 && !/^[、。]/.test(line), line);
  });

  it("keep all words in order, for any text", () => {
    const segment = fc.record({
      words: fc.array(fc.string({ minLength: 1, maxLength: 60 }), { minLength: 1, maxLength: 40 }),
      gap: fc.double({ min: 0, max: 5, noNaN: true }),
      length: fc.double({ min: 0, max: 20, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(segment, { maxLength: 8 }), (parts) => {
        let at = 0;
        const segments = parts.map(({ words, gap, length }) => {
          const start = at + gap;
          at = start + length;
          return { text: words.join(" "), start, end: at };
        });
        const blocks = toVtt(segments).split("\n\n").slice(1);
        const text = blocks.map((block) => block.trimEnd().split("\n").slice(1).join(" ")).join(" ");
        const plain = text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
        const letters = (value: string) => value.replace(/\s+/g, "");
        assert.equal(letters(plain), letters(segments.map((each) => each.text).join("")));
        let before = "";
        for (const block of blocks) {
          const [start = "", end = ""] = (block.split("\n")[0] ?? "").split(" --> ");
          assert.ok(start >= before && end > start, block);
          before = start;
        }
      }),
    );
  });
});
