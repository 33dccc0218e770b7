import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { LIMITS } from "../wire/limits.ts";
import { createSsmlReader, readSsml, SsmlError } from "./index.ts";
import { looksLikeSsml } from "./looks-like-ssml.ts";

const speech = (content: string) => readSsml(`<speak>${content}</speak>`);
const text = (content: string): string => speech(content).text;
const failure = (document: string): SsmlError => {
  try {
    readSsml(document);
  } catch (error) {
    if (error instanceof SsmlError) return error;
    throw error;
  }
  return assert.fail(`it was read: ${document.slice(0, 100)}`);
};

describe("SSML", () => {
  for (const [content, expected] of [
    ["Hello  there,\n  you.", "Hello there, you."],
    ["<p>One.</p>\n<p>Two.</p> Three.", "One.\n\nTwo.\n\nThree."],
    ["<p><s>One</s><s>Two!</s></p>", "One. Two!"],
    ["Well<break/> then", "Well[break] then"],
    ['a <break time="800ms"/> b', "a [break 800ms] b"],
    ['a <break time="90s"/> b', "a [break 10000ms] b"],
    ['a <break strength="strong"/> b <break strength="none"/> c', "a [long-break] b c"],
    ['I am <prosody rate="slow">very</prosody> tired.', "I am <|speed:0.75|>very <|speed:1|>tired."],
    ['<prosody volume="+6dB" rate="120%">A</prosody> b', "<|speed:1.2|><|volume:6|>A <|speed:1|><|volume:0|>b"],
    ['a <prosody rate="200%"><prosody rate="200%">b</prosody></prosody>', "a <|speed:2|>b"],
    ['a <phoneme alphabet="ipa" ph="təˈmeɪtoʊ">tomato</phoneme>', "a <|phoneme_start|>təˈmeɪtoʊ<|phoneme_end|>"],
    ['<phoneme alphabet="x-arpabet" ph="HH AH0">x</phoneme>', "<|phoneme_start|>HH AH0<|phoneme_end|>"],
    ['<say-as interpret-as="characters">NASA</say-as> is', "<|spell_start|>NASA<|spell_end|> is"],
    ['<say-as interpret-as="date" format="mdy">5/1/2020</say-as>', "5/1/2020"],
    ['<sub alias="World Wide Web">WWW</sub> page', "World Wide Web page"],
    ['Hi <voice name="bf_emma">there</voice> you', "Hi <|speaker:1|>there <|speaker:0|>you"],
    ['Say <lang xml:lang="fr-FR">bonjour</lang> now', "Say <|language:fr-FR|>bonjour <|language:auto|>now"],
    ["Fish &amp; chips &lt; 5 &#x41; <![CDATA[<b>]]>", "Fish & chips < 5 A <b>"],
    ["a <!-- not said & --> b <![CDATA[&]]>", "a b &"],
    ["<emphasis>very</emphasis> <desc>not said</desc> good", "very good"],
  ] as const) {
    it(content, () => assert.equal(text(content), expected));
  }

  it("gives what holds for all of the text to the request", () => {
    assert.deepEqual(
      readSsml(
        '<?xml version="1.0"?><speak version="1.1" xmlns="http://www.w3.org/2001/10/synthesis" xml:lang="en-GB">' +
          '<voice name="bf_emma"><prosody rate="fast" volume="soft">Good morning.</prosody></voice></speak>',
      ),
      { text: "Good morning.", voices: ["bf_emma"], language: "en-GB", speed: 1.25, volume: -6, ignored: [] },
    );
  });

  it("numbers the voices as speakers, the voice of the request first", () => {
    const { text, voices } = speech('<voice name="a">A</voice> <voice name="b">B</voice> C <voice name="a">D</voice>');
    assert.equal(text, "<|speaker:1|>A <|speaker:2|>B <|speaker:0|>C <|speaker:1|>D");
    assert.deepEqual(voices, ["", "a", "b"]);
  });

  it("lists what it does not understand", () => {
    const { ignored, text } = speech(
      '<audio src="x.mp3">Beep</audio> <prosody pitch="high" rate="soon">a</prosody> <mark name="here"/>' +
        '<phoneme alphabet="x-sampa" ph="t@">b</phoneme> <voice gender="female">c</voice> <amazon:effect>d</amazon:effect>',
    );
    assert.equal(text, "Beep a b c d");
    assert.deepEqual(ignored, [
      ...["audio", "prosody@rate", "prosody@pitch", "mark", "phoneme@alphabet"],
      ...["voice", "voice@gender", "amazon:effect"],
    ]);
  });

  it("knows only its own names of values", () => {
    const { ignored, text } = speech(
      '<prosody rate="constructor" volume="valueOf">a</prosody> <break strength="toString"/>b',
    );
    assert.equal(text, "a [break] b");
    assert.deepEqual(ignored, ["prosody@rate", "prosody@volume", "break@strength"]);
  });

  for (const [document, line, column, reason] of [
    ["<speak>\n  <p>Hello</s>\n</speak>", 2, 14, /unexpected close tag|unmatched closing tag/],
    ["<speak>a\n & b</speak>", 2, 2, /an & has to be written as &amp;/],
    ["<speak>&xxe;</speak>", 1, 12, /entity/],
    ['<!DOCTYPE speak [<!ENTITY a "aaaa">]><speak>&a;</speak>', 1, 37, /document type/],
    ["<speak>Hello", 1, 12, /unclosed tag: speak/],
    ["<html/>", 1, 7, /root element/],
    ["just text", 1, 10, /outside of root/],
    ["", 1, 1, /root element/],
  ] as const) {
    it(`says where ${JSON.stringify(document).slice(0, 40)} is wrong`, () => {
      const error = failure(document);
      assert.match(error.message, reason);
      assert.deepEqual([error.line, error.column], [line, column], error.message);
    });
  }

  it("has bounds", () => {
    const { depth, elements, attributes, listedIgnored } = LIMITS.ssml;
    const deep = (levels: number) => `${"<p>".repeat(levels)}x${"</p>".repeat(levels)}`;
    assert.equal(text(deep(depth - 1)), "x");
    assert.match(failure(`<speak>${deep(depth)}</speak>`).message, /nested more than/);
    assert.match(failure(`<speak>${"<s/>".repeat(elements)}</speak>`).message, /more than 10000 elements/);
    const many = Array.from({ length: attributes + 1 }, (_, index) => `a${index}=""`).join(" ");
    assert.match(failure(`<speak ${many}/>`).message, /attributes/);
    const voices = Array.from({ length: LIMITS.speakers }, (_, index) => `<voice name="v${index}">x</voice>`).join("");
    assert.match(failure(`<speak>${voices}</speak>`).message, /voices/);
    const tags = Array.from({ length: 100 }, (_, index) => `<t${index}/>`).join("");
    assert.equal(speech(tags).ignored.length, listedIgnored);
  });

  it("gives the same text however it is divided", () => {
    const document =
      '<speak>\n <p>Hello <voice name="a">you &amp; me</voice></p><s>x</s> <say-as interpret-as="digits">12</say-as></speak>';
    const whole = readSsml(document);
    fc.assert(
      fc.property(fc.array(fc.nat(document.length)), (cuts) => {
        const reader = createSsmlReader();
        const places = [0, ...cuts.sort((a, b) => a - b), document.length];
        for (const [index, from] of places.entries()) reader.push(document.slice(from, places[index + 1] ?? from));
        assert.deepEqual(reader.end(), whole);
      }),
      { numRuns: 50 },
    );
  });

  it("is recognized by its root", () => {
    for (const document of ["<speak>", ' \n<?xml version="1.0"?>\n<speak version="1.0">', "<speak/>"])
      assert.equal(looksLikeSsml(document), true, document);
    for (const other of ["<speaker>", "Hello <speak>", "<p>", ""]) assert.equal(looksLikeSsml(other), false, other);
  });
});
