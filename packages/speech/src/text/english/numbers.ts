import { SIGN_FRACTIONS } from "../rules/fractions.ts";
import { isAnswer } from "./abbreviations.ts";
import {
  belowHundred,
  cardinal,
  digitByDigit,
  ordinal,
  parseNumber,
  quantity,
  toOrdinal,
  toPlural,
  type WrittenNumber,
  year,
} from "./number-words.ts";
import { joinedNext, joinedPrevious, type Place, type Rule, textAt, tokenAt } from "./rule.ts";
import { houseNumber } from "./streets.ts";

const LEADS: Readonly<Record<string, string>> = {
  "~": "about ",
  "≈": "about ",
  "<": "less than ",
  ">": "more than ",
  "≤": "at most ",
  "≥": "at least ",
  "±": "plus or minus ",
  "√": "square root of ",
  "<=": "at most ",
  ">=": "at least ",
};
const SCALES: Readonly<Record<string, string>> = {
  k: "K",
  K: "K",
  M: "million",
  m: "million",
  bn: "billion",
  B: "billion",
  T: "trillion",
};

/** Digits without separators that are too many for a quantity people would write so: an account, an order, a key. */
function isCode(number: WrittenNumber): boolean {
  return !number.grouped && number.fraction === undefined && number.whole.length >= 8 && !/000$/.test(number.whole);
}

const plainQuantity = (place: Place, number: WrittenNumber): string =>
  isCode(number)
    ? `${number.sign === "" ? "" : `${number.sign} `}${digitByDigit(number.whole)}`
    : quantity(number, place.style);

/** "42", "-3.5", "~20", "50+", "1,000,000". */
const plain: Rule = (place) => {
  const match = /^(~|≈|<=?|>=?|≤|≥|±|√)?([^~≈<>≤≥±√+]*[\d])(\+)?$/.exec(textAt(place, 0).replace(/^\+/, "\u0000"));
  if (match === null) return undefined;
  const [, lead = "", body = "", plus] = match;
  const number = parseNumber(body.replace("\u0000", "+"));
  if (number === undefined) return undefined;
  return [`${LEADS[lead] ?? ""}${plainQuantity(place, number)}${plus === undefined ? "" : " plus"}`];
};

/** "1st", "22nd", "1,000th". */
const ordinals: Rule = (place) => {
  const match = /^(\d[\d,]*)(?:st|nd|rd|th)('s)?$/i.exec(textAt(place, 0));
  return match === null
    ? undefined
    : [`${ordinal((match[1] ?? "").replaceAll(",", ""), place.style)}${match[2] ?? ""}`];
};

export function fraction(over: string, under: string): string | undefined {
  const [top, bottom] = [Number(over), Number(under)];
  if (bottom === 2) return top === 1 ? "one half" : `${cardinal(over)} halves`;
  if (bottom === 4) return `${cardinal(over)} ${top === 1 ? "quarter" : "quarters"}`;
  if (bottom < 3 || top === 0) return undefined;
  const part = toOrdinal(cardinal(under));
  return `${cardinal(over)} ${top === 1 ? part : toPlural(part)}`;
}

/** "one half" behind a whole number is "a half". */
const afterWhole = (part: string): string => `and ${part.replace(/^one (half|quarter)/, "a $1")}`;
const mixed = (whole: string, part: string): string => `${cardinal(whole)} ${afterWhole(part)}`;

/** Whether there is no other word. */
const isLone = (place: Place): boolean => tokenAt(place, -1) === undefined && tokenAt(place, 1) === undefined;

/** "½", "2½", "3/4", "1 1/2", "10/10". */
const fractions: Rule = (place) => {
  const text = textAt(place, 0);
  const sign = /^(\d*)([½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞])$/.exec(text);
  if (sign !== null) {
    const [over = "", under = ""] = (SIGN_FRACTIONS.get(sign[2] ?? "") ?? "").split("/");
    const part = fraction(over, under) ?? "";
    // "1 ½": the whole number has been read by itself.
    const isRest = sign[1] === "" && /^\d{1,3}$/.test(joinedPrevious(place));
    return [isRest ? afterWhole(part) : sign[1] === "" ? part : mixed(sign[1] ?? "", part)];
  }
  const outOf = /^(\d{1,3}\.\d{1,2})\/(5|10|100)$/.exec(text);
  const score = parseNumber(outOf?.[1] ?? "");
  if (score !== undefined) return [`${quantity(score)} out of ${cardinal(outOf?.[2] ?? "")}`];
  const negative = /^[-–](\d{1,3}\/\d{1,4})$/.exec(text)?.[1]?.split("/");
  const part = negative === undefined ? undefined : fraction(negative[0] ?? "", negative[1] ?? "");
  if (part !== undefined) return [`minus ${part}`];
  const slashed = /^(\d{1,4})\/(\d{1,4})(?:(?:th|rd|nd)s?|s)?$/i.exec(text);
  if (slashed === null) return undefined;
  const [, over = "", under = ""] = slashed;
  const counted = /^\d{1,3}$/.test(joinedPrevious(place));
  // "the 80/20 rule".
  if (Number(over) + Number(under) === 100 && Number(over) >= 50) return [`${cardinal(over)} ${cardinal(under)}`];
  // "120/80" is a blood pressure.
  const isPressure = Number(over) >= 90 && Number(under) >= 40;
  const isPart = Number(over) < Number(under) || (Number(over) > Number(under) && !isPressure);
  // "I give it 7/10", yet "3/10 of a mile" and "3/10" by itself.
  const isShare = counted || joinedNext(place) === "of" || isLone(place);
  if ((isPart || counted) && (over === "1" || isShare || !/^(?:10|100)$/.test(under))) {
    const proper = fraction(over, under);
    if (proper === undefined) return undefined;
    // "1 1/2": the whole number has been read by itself.
    return [counted ? afterWhole(proper) : proper];
  }
  return [`${cardinal(over)} ${Number(over) <= Number(under) ? "out of" : "over"} ${cardinal(under)}`];
};

/** "1 000 000": groups of zeros after spaces. Other digits in groups may be a telephone number. */
const spacedThousands: Rule = (place) => {
  const first = textAt(place, 0);
  let groups = 0;
  while (groups < 4 && joinedNext(place, groups) === "000") groups++;
  if (groups === 0 || !/^[1-9]\d{0,2}$/.test(first) || /\d$/.test(joinedPrevious(place))) return undefined;
  return [cardinal(first + "000".repeat(groups), place.style), ...Array.from({ length: groups }, () => "")];
};

const RANGE = /^([~≈])?(\d[\d,]*(?:\.\d+)?)(k|%)?[-–](\d[\d,]*(?:\.\d+)?)(k|M|bn|B|T|%|\+)?$/;
const SCORE_WORDS =
  /^(?:won|win|wins|winning|lost|lose|loses|beat|beats|defeated|score|scored|lead|leads|led|leading|draw|drew|victory|defeat|loss|vote|voted|ruling|ruled|tied|by|trailing|trailed)$/i;

const MODEL_MAKERS = /^(?:boeing|airbus)$/i;

/** "3-2" after "won" is a score, "5–10" a range, "10-12" the same. */
const ranges: Rule = (place) => {
  const match = RANGE.exec(textAt(place, 0));
  if (match === null) return undefined;
  const [, about, first = "", firstMark = "", second = "", secondMark = ""] = match;
  const [from, to] = [parseNumber(first), parseNumber(second)];
  if (from === undefined || to === undefined) return undefined;
  const previous = textAt(place, -1);
  const scored =
    SCORE_WORDS.test(previous) || SCORE_WORDS.test(joinedNext(place)) || Number(from.whole) > Number(to.whole);
  // "the 747-400": neither a range nor a score, as "112-108" is.
  const falling = Number(from.whole) > Number(to.whole) && from.whole.length > 2;
  if (falling && !SCORE_WORDS.test(previous) && (to.whole.length < 3 || to.whole.endsWith("00"))) {
    const model = MODEL_MAKERS.test(previous) ? houseNumber(from.whole) : quantity(from, place.style);
    return [`${model} ${quantity(to, place.style)}`];
  }
  const small = from.whole.length <= 3 && to.whole.length <= 3 && firstMark + secondMark === "";
  const [low, high] = [quantity(from, place.style), quantity(to, place.style)];
  if (scored && small && place.style.british) return [`${low} ${to.whole === "0" ? "nil" : high}`];
  const mark = (sign: string) =>
    sign === "%" ? " percent" : sign === "+" ? " plus" : sign === "" ? "" : ` ${SCALES[sign] ?? ""}`;
  const lead = about === undefined ? "" : "about ";
  return [`${lead}${low}${firstMark === secondMark ? "" : mark(firstMark)} to ${high}${mark(secondMark)}`];
};

const SIDE_UNIT = /(?:cm|mm|m|in|ft|px|["'″])$/;

/** "3x4", "1920×1080", "10x", "3 x 4" by the sign between. */
const dimensions: Rule = (place) => {
  const text = textAt(place, 0);
  const parts = text.split(/[x×*]/i);
  if (
    parts.length >= 2 &&
    parts.length <= 4 &&
    parts.every((part) => parseNumber(part.replace(SIDE_UNIT, "")) !== undefined)
  ) {
    const joint = text.includes("*") ? " times " : " by ";
    return [parts.map((part) => side(part.replace(SIDE_UNIT, ""), place)).join(joint)];
  }
  const times = /^(\d[\d,]*(?:\.\d+)?)(?:[-–](\d[\d,]*(?:\.\d+)?))?[x×]$/i.exec(text);
  const number = times === null ? undefined : parseNumber(times[1] ?? "");
  if (times === null || number === undefined) return undefined;
  const to = parseNumber(times[2] ?? "");
  const range = to === undefined ? "" : ` to ${quantity(to, place.style)}`;
  // "4x faster", yet "it grew 4x" and "2x + 3".
  const sign = /^\p{L}/u.test(joinedNext(place)) ? "times" : "X";
  return [`${quantity(number, place.style)}${range} ${sign}`];
};

/** "1920×1080" is "nineteen twenty by ten eighty". */
const side = (text: string, place: Place): string =>
  /^[1-9]\d{3}$/.test(text) && !text.endsWith("00") ? year(text) : quantity(parseNumber(text) ?? ZERO, place.style);

const ZERO: WrittenNumber = { sign: "", whole: "0", fraction: undefined, grouped: false };

const isVersionWord = (text: string): boolean =>
  /^(?:v|ver|version|release|python|node|ios|android|macos|ubuntu|java|php|ruby|django|rails|windows|chrome|firefox|kernel|postgres|postgresql|go|rust|typescript|react|gpt|claude|llama|bluetooth|usb|http|tls)$/i.test(
    text,
  );

/** "v2.1.3", "1.2.3", "3.11" after "Python"; "192.168.0.1" digit by digit. */
const versions: Rule = (place) => {
  const text = textAt(place, 0);
  const match = /^(v|V)?(\d+(?:\.\d+)*)(?:-?(alpha|beta|rc|b|a)\.?(\d*)|:(\d{1,5}))?$/.exec(text);
  if (match === null) return undefined;
  const [, v, digits = "", stage, stageNumber = "", port] = match;
  const parts = digits.split(".");
  const address =
    parts.length === 4 && parts.every((part) => Number(part) <= 255) && v === undefined && stage === undefined;
  if (port !== undefined && !address) return undefined;
  if (
    v === undefined &&
    parts.length < 3 &&
    stage === undefined &&
    !(parts.length === 2 && isVersionWord(joinedPrevious(place)))
  )
    return undefined;
  const said = parts
    .map((part) => (address ? digitByDigit(part) : quantity({ ...ZERO, whole: part })))
    .join(address ? " dot " : " point ");
  const suffix =
    stage === undefined
      ? port === undefined
        ? ""
        : ` colon ${port.length === 4 ? year(port) : digitByDigit(port)}`
      : ` ${stage === "rc" ? "R.C" : stage.length === 1 ? stage.toUpperCase() : stage}${stageNumber === "" ? "" : ` ${cardinal(stageNumber)}`}`;
  const isNamed = v === undefined || textAt(place, -1).toLowerCase() === "version";
  return [`${isNamed ? "" : "version "}${said}${suffix}`];
};

/** "10k", "1.5M", "2bn". */
const scaled: Rule = (place) => {
  const match = /^([~<>]?)([-+]?\d[\d,]*(?:\.\d+)?)(k|K|M|bn|B|T)(\+)?$/.exec(textAt(place, 0));
  const number = match === null ? undefined : parseNumber(match[2] ?? "");
  if (match === null || number === undefined) return undefined;
  return [
    `${LEADS[match[1] ?? ""] ?? ""}${quantity(number, place.style)} ${SCALES[match[3] ?? ""] ?? ""}${match[4] === undefined ? "" : " plus"}`,
  ];
};

/** "14/ they": the slash separates; "500/-" is a price. */
const slashBehind: Rule = (place) => {
  const [, digits = ""] = /^(\d{1,9})\/$/.exec(textAt(place, 0)) ?? [];
  return digits === "" || tokenAt(place, 0)?.after !== "" ? undefined : [`${cardinal(digits, place.style)} slash`];
};

/** "#1", "No. 5", "Nos. 3". */
const numbered: Rule = (place) => {
  const text = textAt(place, 0);
  const hash = /^#(\d{1,9})$/.exec(text);
  if (hash !== null) return [`number ${cardinal(hash[1] ?? "", place.style)}`];
  const sign = /^(?:№|no\.)(\d+)$|^№$/i.exec(text);
  if (sign !== null) return [`number${sign[1] === undefined ? "" : ` ${cardinal(sign[1])}`}`];
  if (/^nos?$/i.test(text) && !isAnswer(place) && tokenAt(place, 0)?.after === "." && /^\d/.test(textAt(place, 1))) {
    return [/s$/i.test(text) ? "numbers" : "number"];
  }
  return undefined;
};

/** "RTX 3090": capitals before four digits name a model. */
const isModel = (digits: string, name: string): boolean => /^[A-Z]{2,4}$/.test(name) && /^[1-9]\d[1-9]\d$/.test(digits);

/** "room 1204" and "flight 815" are read in pairs or digits, not as quantities. */
const labelled: Rule = (place) => {
  const text = textAt(place, 0);
  if (isModel(text, joinedPrevious(place))) return [year(text)];
  if (
    !/^[1-9]\d{2,3}$/.test(text) ||
    !/^(?:room|flight|route|rte|rt|highway|hwy|suite|bus|gate|channel|area|extension|apartment|unit|http|error|status|boeing|airbus|interstate|studio|rfc|ieee|iso)$/i.test(
      joinedPrevious(place),
    )
  )
    return undefined;
  if (text.length === 4) return [year(text)];
  const rest = Number(text.slice(1));
  return rest === 0
    ? undefined
    : [`${cardinal(text.charAt(0))} ${rest < 10 ? `oh ${belowHundred(rest)}` : belowHundred(rest)}`];
};

/** Zero-led numbers are codes: "007". Decimals and long rows keep to `plain`. */
export const NUMBER_RULES: readonly Rule[] = [
  numbered,
  spacedThousands,
  fractions,
  dimensions,
  ranges,
  ordinals,
  versions,
  labelled,
  slashBehind,
];
export const PLAIN_NUMBER_RULES: readonly Rule[] = [scaled, plain];
