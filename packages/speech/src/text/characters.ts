/** Classes of characters that splitting and tokenising agree on. All take one code point as a string. */

const DIGIT = /^\p{Nd}$/u;
const SPACE = /\s/u;
/** Invisible and silent: zero-width, soft hyphen, direction marks, variation selectors, tags, controls. */
const IGNORABLE = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\u{fffd}]|\u{20e3}/u;
const EMOJI = /[\p{Extended_Pictographic}\p{Emoji_Modifier}\u{1f1e6}-\u{1f1ff}]/u;
/** Pictographic in Unicode, but used in prose; they are read (or dropped) like any other symbol. */
const NOT_EMOJI = new Set(["©", "®", "™", "↔", "‼", "⁉", "ℹ"]);
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** Continues the CJK character before it: the long-vowel mark, small kana, iteration marks. */
const CJK_TAIL = /[ー々〻ゝゞヽヾぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ\p{M}]/u;
const LETTER = /\p{L}/u;
const UPPER = /\p{Lu}/u;
const LOWER = /\p{Ll}/u;
const NUMBER = /\p{N}/u;

export const isSpace = (c: string): boolean => c === " " || c === "\n" || (c !== "" && SPACE.test(c));
export const isDigit = (c: string): boolean => c >= "0" && c <= "9" && c.length === 1;
/** A decimal digit of any script. */
export const isAnyDigit = (c: string): boolean => isDigit(c) || (c > "~" && DIGIT.test(c));
export const isIgnorable = (c: string): boolean => (c < " " || c > "~") && IGNORABLE.test(c);
export const isEmoji = (c: string): boolean => c > "~" && EMOJI.test(c) && !NOT_EMOJI.has(c);
export const isCjk = (c: string): boolean => c >= "\u2e80" && CJK.test(c);
export const isCjkTail = (c: string): boolean => c >= "\u0300" && CJK_TAIL.test(c);
export const isLetter = (c: string): boolean => LETTER.test(c);
export const isUpper = (c: string): boolean => UPPER.test(c);
export const isLower = (c: string): boolean => LOWER.test(c);
export const isAlphanumeric = (c: string): boolean => LETTER.test(c) || NUMBER.test(c);

/** Stops that end a sentence by themselves, with or without a space after them. */
export const FULL_STOPS = new Set(["。", "！", "？", "｡", "।", "॥", "؟", "۔", "։", "።"]);
export const CLOSERS = new Set([
  '"',
  "'",
  "”",
  "’",
  "»",
  "›",
  ")",
  "]",
  "}",
  "」",
  "』",
  "）",
  "】",
  "》",
  "〉",
  "*",
  "_",
]);
export const OPENERS = new Set([
  ...['"', "'", "“", "‘", "«", "‹", "„", "‚", "(", "[", "{", "「", "『", "（", "【", "《", "〈", "¿", "¡", "*", "_"],
]);

/** The whole code point at `at`, "" past the end. */
export function charAt(text: string, at: number): string {
  const code = text.codePointAt(at);
  if (code === undefined) return "";
  return code > 0xffff ? String.fromCodePoint(code) : (text[at] ?? "");
}

/** A position at or before `at` that does not fall between the halves of a surrogate pair. */
export function wholeBefore(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return at > 0 && code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
