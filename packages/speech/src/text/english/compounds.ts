import { alone, readPart } from "../rules/rule.ts";
import { cardinal, digitByDigit, toPlural, year } from "./number-words.ts";
import type { Place, Rule } from "./rule.ts";
import { unitOf } from "./units.ts";
import { wordOrLetters } from "./web.ts";

/** Signs that join the parts of a written word, and their spoken form. Every other sign only separates. */
const JOINTS: Readonly<Record<string, string>> = {
  "&": "and",
  "+": "plus",
  "=": "equals",
  "@": "at",
  ".": "dot",
  "%": "percent",
  "×": "times",
  "÷": "divided by",
  "±": "plus or minus",
  "²": "squared",
  "³": "cubed",
  "°": "degrees",
  $: "dollar",
  "€": "euros",
  "£": "pounds",
  "^": "to the power of",
  "<": "less than",
  ">": "greater than",
  "≤": "at most",
  "≥": "at least",
  "≈": "about",
  "≠": "is not equal to",
  "#": "number",
  π: "pi",
  ":": ",",
};

const PLAIN = /^'?\p{L}[\p{L}\p{M}]*(?:['-]\p{L}[\p{L}\p{M}]*)*'?$/u;
/** A part of a hyphenated word that needs a rule of its own: capitals, or capitals inside. */
const SPECIAL_PART = /^\p{Lu}{2,}(?:'?s)?$|\p{Ll}\p{Lu}/u;

/** Any word that no other rule knows: as it is when it is letters, otherwise part by part. */
export function readCompound(place: Place, rules: readonly Rule[]): string {
  const text = place.tokens[place.index]?.text ?? "";
  if (PLAIN.test(text) && !(text.includes("-") && text.split("-").some((part) => SPECIAL_PART.test(part)))) return text;
  const words: string[] = [];
  for (const [part] of foldCompatible(text).matchAll(/[\p{L}\p{M}']+|\d+(?:[.,]\d+)*|[^\p{L}\p{M}'\d]/gu)) {
    const last = words.at(-1) ?? "";
    if (part === "s" && /\d'?s$/.test(text) && last !== "") words[words.length - 1] = toPlural(last);
    else if (/^\d/.test(part)) words.push(readDigits(part, place, rules));
    else if (/^[\p{L}\p{M}']/u.test(part)) words.push(readLetters(part, place, rules, text));
    else if (isJoint(text, part) && (last !== JOINTS[part] || /[+$]/.test(part))) words.push(JOINTS[part] ?? "");
  }
  return words
    .filter((word) => word !== "")
    .join(" ")
    .replaceAll(" ,", ",");
}

/** Ligatures, circled digits and the like as plain characters; powers keep their sign, which has a reading. */
const foldCompatible = (text: string): string =>
  /^[ -~]*$/.test(text) ? text : [...text].map((c) => (JOINTS[c] === undefined ? c.normalize("NFKC") : c)).join("");

/** A sign is spoken between two parts, or if it has a meaning of its own. */
function isJoint(text: string, sign: string): boolean {
  const at = text.indexOf(sign);
  // One of them compares ("x<5"), more are a tag.
  if (sign === "<" || sign === ">") return /^[^<>]+[<>][^<>]+$/.test(text);
  return sign === "." || sign === ":" ? at > 0 && at < text.length - 1 : true;
}

function readDigits(digits: string, place: Place, rules: readonly Rule[]): string {
  if (/[.,]/.test(digits))
    return readPart(rules, digits, place.style) ?? digits.split(/[.,]/).map(digitByDigit).join(", ");
  if (digits.length > 4 || (digits.length > 1 && digits.startsWith("0"))) return digitByDigit(digits);
  return digits.length === 4 ? year(digits) : cardinal(digits, place.style);
}

function readLetters(letters: string, place: Place, rules: readonly Rule[], whole: string): string {
  const bare = letters.replace(/^'+|'+$/g, "");
  if (bare === "") return "";
  const special = readPart(rules, bare, place.style);
  if (special !== undefined) return special;
  return /[\d²³=+]/.test(whole) && /^[a-z]+$/i.test(bare) ? wordOrLetters(bare) : bare;
}

/** "235212" in "MIG-25/235212" is no quantity, and "52s" in "B-52s" no time. */
function codePart(part: string, parts: readonly string[]): string | undefined {
  const named = parts.some((other) => /^\p{Lu}+$/u.test(other));
  if (/^\d{5,}$/.test(part)) return digitByDigit(part);
  // "GTX-1080".
  if (named && /^[1-9]\d[1-9]\d$/.test(part)) return year(part);
  return named && /^\d{1,3}s$/.test(part) ? toPlural(cardinal(part.slice(0, -1))) : undefined;
}

/** "5th-6th", "10°-20°", "5kg–10kg": two numbers with the same unit. */
const RANGE =
  /^\d[\d.,]{0,14}(?:(\p{L}{1,3}|[°%]\p{L}?)[-–]\d[\d.,]{0,14}\1|(?:st|nd|rd|th)[-–]\d[\d,]{0,14}(?:st|nd|rd|th))$/iu;

/** Hyphenated words, and prices of something ("$5/month"), with parts that only rules can read: "mid-1990s", "20-year-old", "AI-powered", "and/or". */
export function hyphenated(rules: readonly Rule[]): Rule {
  return (place) => {
    const text = place.tokens[place.index]?.text ?? "";
    // "3/8-inch": the fraction is one part.
    const parts = text.split(/^\d{1,2}\/\d{1,2}-\p{L}/u.test(text) ? /[-–]/ : /[-–/]/).filter((part) => part !== "");
    const special = parts.some((part) => !PLAIN.test(part) || SPECIAL_PART.test(part)) || text.includes("/");
    if (
      parts.length < 2 ||
      !special ||
      !parts.some((part) => /[\p{L}°]/u.test(part)) ||
      !parts.every((part) => /[\p{L}\d]/u.test(part))
    )
      return undefined;
    const [price = "", per = "", ...more] = text.split("/");
    const sum =
      /^[-~]?[$€£¥₹]/.test(price) && per !== "" && more.length === 0 ? readPart(rules, price, place.style) : undefined;
    if (sum !== undefined) return [`${sum} per ${unitOf(per)?.one ?? readPart(rules, per, place.style) ?? per}`];
    const said = (part: string): string =>
      codePart(part, parts) ?? readPart(rules, part, place.style) ?? readCompound(alone(part, place.style), rules);
    return [parts.map(said).join(RANGE.test(text) ? " to " : " ")];
  };
}
