import { SaxesParser } from "saxes";
import { LIMITS } from "../wire/limits.ts";
import { PLAIN, type SsmlDelivery } from "./delivery.ts";
import { type ElementEffect, elementEffect } from "./elements.ts";
import { createSpeechText, type SsmlSpeech } from "./speech-text.ts";

/** A document that is not SSML. The place is that of the character that shows it. */
export class SsmlError extends Error {
  readonly line: number;
  readonly column: number;

  constructor(reason: string, line: number, column: number) {
    super(`line ${line}, column ${column}: ${reason}`);
    this.name = "SsmlError";
    this.line = line;
    this.column = column;
  }
}

/** Reads a document in pieces, so that its reader can let others have their turn. */
export interface SsmlReader {
  /** Throws `SsmlError`. */
  push(text: string): void;
  /** Throws `SsmlError`. */
  end(): SsmlSpeech;
}

interface OpenElement {
  readonly name: string;
  readonly effect: ElementEffect;
  /** The text of an element that is spelled. */
  spelled: string;
}

/** The characters of one mark. */
const MAX_SPELLED = 180;

/**
 * Entities other than the five of XML and document types are refused, so nothing is expanded or fetched. Its work is
 * proportional to the length of the document.
 */
export function createSsmlReader(): SsmlReader {
  const parser = new SaxesParser({ xmlns: false });
  const speech = createSpeechText();
  const ignored = new Set<string>();
  const voices = new Set<string>();
  const open: OpenElement[] = [];
  let elements = 0;
  const fail = (reason: string): never => {
    throw new SsmlError(reason, parser.line, Math.max(1, parser.columnIndex));
  };
  const ignore = (name: string): void => {
    if (ignored.size < LIMITS.ssml.listedIgnored) ignored.add([...name.slice(0, 120)].slice(0, 60).join(""));
  };
  const current = (): OpenElement | undefined => open.at(-1);
  const isSilent = (): boolean => open.some(({ effect }) => effect.content === "silent");

  function say(text: string): void {
    const element = current();
    if (element === undefined || isSilent()) return;
    const spelling = open.find(({ effect }) => effect.content === "spelled");
    if (spelling !== undefined) spelling.spelled += text;
    else speech.say(text, element.effect.delivery);
  }
  function begin(name: string, attributes: Readonly<Record<string, string>>): void {
    elements += 1;
    if (elements > LIMITS.ssml.elements) fail(`more than ${LIMITS.ssml.elements} elements`);
    if (open.length >= LIMITS.ssml.depth) fail(`elements are nested more than ${LIMITS.ssml.depth} deep`);
    if (Object.keys(attributes).length > LIMITS.ssml.attributes)
      fail(`an element with more than ${LIMITS.ssml.attributes} attributes`);
    if (open.length === 0 && name !== "speak") fail("the root element has to be speak");
    const outer: SsmlDelivery = current()?.effect.delivery ?? PLAIN;
    const effect = elementEffect(name, attributes, outer);
    for (const each of effect.ignored) ignore(each === "*" ? name : `${name}@${each}`);
    const { voice } = effect.delivery;
    if (voice !== undefined) voices.add(voice);
    if (voices.size >= LIMITS.speakers) fail(`more than ${LIMITS.speakers - 1} voices`);
    if (!isSilent()) announce(effect, outer);
    open.push({ name, effect, spelled: "" });
  }
  function announce({ unit, pause, instead, delivery }: ElementEffect, outer: SsmlDelivery): void {
    if (unit === "paragraph") speech.endParagraph();
    if (unit === "sentence") speech.endSentence(outer);
    if (pause !== undefined) speech.pause(pause, delivery);
    if (instead === undefined) return;
    if ("text" in instead) say(instead.text);
    else speech.mark(`<|phoneme_start|>${instead.phonemes}<|phoneme_end|>`, delivery);
  }
  function end(): void {
    const element = open.pop();
    if (element === undefined || isSilent()) return;
    const { effect, spelled } = element;
    for (const part of spelledParts(spelled)) speech.mark(`<|spell_start|>${part}<|spell_end|>`, effect.delivery);
    if (effect.unit === "sentence") speech.endSentence(effect.delivery);
    if (effect.unit === "paragraph") speech.endParagraph();
  }

  parser.on("error", (error) => fail(error.message.replace(/^[\d:\s]+/, "").slice(0, 80)));
  parser.on("doctype", () => fail("a document type is not allowed"));
  parser.on("opentag", ({ name, attributes }) => begin(name, attributes));
  parser.on("closetag", end);
  parser.on("text", say);
  parser.on("cdata", say);
  const ampersand = createAmpersandFinder();
  return {
    push(text) {
      ampersand.push(text);
      parser.write(text);
    },
    end() {
      // The parser takes everything after it for the name of an entity.
      const place = ampersand.unclosed();
      if (place !== undefined) throw new SsmlError("an & has to be written as &amp;", place.line, place.column);
      parser.close();
      return speech.result([...ignored]);
    },
  };
}

/** Finds a last `&` without a `;` after it. */
function createAmpersandFinder() {
  let line = 1;
  let column = 0;
  let found: { readonly line: number; readonly column: number } | undefined;
  return {
    push(text: string): void {
      for (const character of text) {
        column += 1;
        if (character === "&") found = { line, column };
        else if (character === ";" || character === "]" || character === "-") found = undefined;
        else if (character === "\n") {
          line += 1;
          column = 0;
        }
      }
    },
    unclosed: () => found,
  };
}

/** The text for each mark: a mark has a maximum length. */
function spelledParts(text: string): readonly string[] {
  const bare = text.replace(/[\s<>|]+/g, " ").trim();
  const parts: string[] = [];
  for (let at = 0; at < bare.length; at += MAX_SPELLED) parts.push(bare.slice(at, at + MAX_SPELLED));
  return parts;
}

/** Reads a whole document. Throws `SsmlError`. */
export function readSsml(document: string): SsmlSpeech {
  const reader = createSsmlReader();
  reader.push(document);
  return reader.end();
}
