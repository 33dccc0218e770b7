import { joinedNext, joinedPrevious, type Rule, textAt } from "../rules/rule.ts";
import { cardinal, ordinal, quarters } from "./number-words.ts";
import { NUMBER, parseNumber, quantity } from "./written-number.ts";

/** "1ला", "2रे", "6ठी", "16वीं": the written ending says gender and number. */
const ordinals: Rule = (place) => {
  const [, digits = "", vowel = ""] = /^(\d[\d,]*)-?[लरथठव]([ाेी][ंँ]?)$/.exec(textAt(place, 0)) ?? [];
  return vowel === "" ? undefined : [ordinal(digits.replaceAll(",", ""), vowel)];
};

const QUARTERS: Readonly<Record<string, 25 | 50 | 75>> = { "1/2": 50, "1/4": 25, "3/4": 75 };
const NAMED: Readonly<Record<string, string>> = {
  "1/2": "आधा",
  "1/4": "एक चौथाई",
  "3/4": "तीन चौथाई",
  "1/3": "एक तिहाई",
  "2/3": "दो तिहाई",
};

const over = (fraction: string): string => {
  const [top = "", bottom = ""] = fraction.split("/");
  return `${cardinal(top)} बटा ${cardinal(bottom)}`;
};

function mixed(whole: string, fraction: string): string {
  const quarter = QUARTERS[fraction];
  return quarter === undefined || whole.length > 3
    ? `${cardinal(whole)} और ${over(fraction)}`
    : quarters(Number(whole), quarter);
}

/** "3/4", "120 75/90", "2½". */
const fractions: Rule = (place) => {
  const text = textAt(place, 0);
  const sign = /^(\d*)([¼-¾⅐-⅞])$/.exec(text);
  if (sign !== null) {
    const fraction = (sign[2] ?? "").normalize("NFKC").replace("⁄", "/");
    return [sign[1] ? mixed(sign[1], fraction) : (NAMED[fraction] ?? over(fraction))];
  }
  const [, minus = "", fraction = ""] = /^([-–]?)(\d{1,19}\/\d{1,19})$/.exec(text) ?? [];
  if (fraction !== "") return [(minus === "" ? "" : "माइनस ") + (NAMED[fraction] ?? over(fraction))];
  const next = /^\d{1,19}$/.test(text) ? (/^\d{1,9}\/\d{1,9}$/.exec(textAt(place, 1))?.[0] ?? "") : "";
  return next === "" || place.tokens[place.index]?.after !== "" ? undefined : [mixed(text, next), ""];
};

const RANGE = new RegExp(`^(${NUMBER})[-–](${NUMBER})$`);

/** "10-12" is "दस से बारह"; neighbours are said without a word between: "दो तीन". */
const ranges: Rule = (place) => {
  const [, first = "", second = ""] = RANGE.exec(textAt(place, 0)) ?? [];
  const [from, to] = [parseNumber(first), parseNumber(second)];
  if (from === undefined || to === undefined) return undefined;
  // "दो तीन", "पचास पचास".
  const neighbours = first === second || (Number(first) < 10 && Number(second) === Number(first) + 1);
  // "3-2" is a score.
  const score = Number(first) < 100 && Number(first) > Number(second);
  return [`${quantity(from)} ${neighbours || score ? "" : "से "}${quantity(to)}`];
};

/** "3:1", where it is no time. */
const ratio: Rule = (place) => {
  const [, first = "", second = ""] = /^(\d{1,4}):(\d{1,4})$/.exec(textAt(place, 0)) ?? [];
  if (first === "") return undefined;
  const between = /^अनुपात/.test(joinedNext(place)) ? " " : " अनुपात ";
  return [cardinal(first) + between + cardinal(second)];
};

/** "200x10", "2×2×5"; "24x7" and "24/7" are a time. */
const dimensions: Rule = (place) => {
  if (/^24[x×/]7$/i.test(textAt(place, 0))) return ["चौबीस सात"];
  const parts = textAt(place, 0).split(/[x×*]/i).map(parseNumber);
  const numbers = parts.flatMap((part) => part ?? []);
  return parts.length >= 2 && parts.length <= 4 && numbers.length === parts.length
    ? [numbers.map(quantity).join(" बाई ")]
    : undefined;
};

/** "2x" and "4K". */
const factor: Rule = (place) => {
  const [, digits = "", sign = ""] = /^(\d[\d.]{0,5})([x×]|K)$/.exec(textAt(place, 0)) ?? [];
  const number = parseNumber(digits);
  if (number === undefined || (sign === "K" && !/^[248]$/.test(digits))) return undefined;
  return [`${quantity(number)} ${sign === "K" ? "के" : "गुना"}`];
};

/** What is said before and behind a number with such a sign. */
const LEADS: Readonly<Record<string, readonly [before: string, behind: string]>> = {
  "~": ["लगभग ", ""],
  "≈": ["लगभग ", ""],
  "<": ["", " से कम"],
  ">": ["", " से अधिक"],
  "≤": ["अधिकतम ", ""],
  "≥": ["कम से कम ", ""],
  "√": ["", " का वर्गमूल"],
};

const plain: Rule = (place) => {
  const text = textAt(place, 0);
  const [, lead = "", body = "", plus] = /^([~≈<>≤≥√]?)([-–±]?[\d.,]*\d|\+[\d.,]*\d)(\+?)$/.exec(text) ?? [];
  const number = parseNumber(body);
  if (number === undefined) return undefined;
  const [before = "", behind = ""] = LEADS[lead] ?? [];
  return [`${before}${quantity(number)}${plus === "" ? behind : " से अधिक"}`];
};

const SIGNS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "&": "और",
    "%": "प्रतिशत",
    "+": "प्लस",
    "=": "बराबर",
    "×": "गुणा",
    "*": "गुणा",
    "÷": "भागा",
    "-": "माइनस",
    "–": "से",
    "<": "से कम",
    ">": "से अधिक",
    "@": "एट",
    "°": "डिग्री",
    "§": "धारा",
    "₹": "रुपए",
  }),
);
/** Signs inside a formula. */
export const FORMULA_SIGNS: ReadonlyMap<string, string> = new Map([...SIGNS, ["/", "बटा"]]);
const NEEDS_NUMBER = new Set(["*", "-", "–", "<", ">", "=", "+"]);

const signs: Rule = (place) => {
  const text = textAt(place, 0);
  const said = SIGNS.get(text);
  if (said === undefined) return undefined;
  return NEEDS_NUMBER.has(text) && !/[\d\p{L}]$/u.test(joinedPrevious(place)) ? [""] : [said];
};

/** Before the rules of units, which take "K" for kelvin. */
export const FACTOR_RULES: readonly Rule[] = [factor];
export const ORDINAL_RULES: readonly Rule[] = [ordinals];
export const NUMBER_RULES: readonly Rule[] = [dimensions, fractions, ranges, ratio];
export const PLAIN_NUMBER_RULES: readonly Rule[] = [plain, signs];
