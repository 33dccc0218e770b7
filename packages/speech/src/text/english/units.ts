import { insideQuotation } from "../rules/quotations.ts";
import { parseNumber, quantity, type WrittenNumber } from "./number-words.ts";
import { fraction } from "./numbers.ts";
import { joinedPrevious, type Place, type Reading, type Rule, table, textAt, tokenAt } from "./rule.ts";
import { UNIT_NAMES, WORDLIKE_UNITS } from "./unit-names.ts";

const FRACTION_SIGNS = "½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞";
const NUMERIC_END = new RegExp(`^(?:[^\\p{L}]|[x×])*[\\d${FRACTION_SIGNS}]$`, "u");

interface Unit {
  readonly one: string;
  readonly many: string;
}

/** Symbols in small letters, where those mean nothing else: "kpa", "ghz". */
const SMALL = new Map(
  [...UNIT_NAMES].flatMap(([symbol, names]): [string, string][] =>
    symbol.length > 1 && !/^(?:ma|pa|mw|mp)$/i.test(symbol) ? [[symbol.toLowerCase(), names]] : [],
  ),
);

function simpleUnit(symbol: string): Unit | undefined {
  const plain = symbol.replaceAll("μ", "µ");
  const entry = UNIT_NAMES.get(plain) ?? SMALL.get(plain);
  if (entry === undefined) return undefined;
  const [one = "", many = `${one}s`] = entry.split(", ");
  return { one, many };
}

const POWERS: Readonly<Record<string, string>> = { "²": "square", "2": "square", "³": "cubic", "3": "cubic" };

/** A unit with its power and what it is divided by: "km/h", "m²", "g/cm³". */
export function unitOf(symbol: string): Unit | undefined {
  const known = simpleUnit(symbol);
  if (known !== undefined) return known;
  const powered = /^([a-zµμ]{1,2})\^?([²³23])$/.exec(symbol);
  if (powered !== null) {
    const base = simpleUnit(powered[1] ?? "");
    const power = POWERS[powered[2] ?? ""] ?? "";
    return base === undefined || !/(?:meter|foot|inch|yard|mile)$/.test(base.one)
      ? perSquared(symbol)
      : { one: `${power} ${base.one}`, many: `${power} ${base.many}` };
  }
  const [top = "", bottom = "", ...rest] = symbol.split("/");
  if (bottom === "" || rest.length > 0) return undefined;
  const over = simpleUnit(top) ?? unitOf(top);
  const under = simpleUnit(bottom) ?? unitOf(bottom);
  return over === undefined || under === undefined
    ? undefined
    : { one: `${over.one} per ${under.one}`, many: `${over.many} per ${under.one}` };
}

/** "s²" of "m/s²". */
function perSquared(symbol: string): Unit | undefined {
  return /^s\^?[²2]$/.test(symbol) ? { one: "second squared", many: "seconds squared" } : undefined;
}

const GLUED = /^([-–+~<>]?)(\d[\d,]*(?:\.\d+)?|\.\d+)?(?:[-–](\d[\d,]*(?:\.\d+)?))?-?([^\d\s.,-][^\s,]{0,11})$/;
const LEADS: Readonly<Record<string, string>> = { "~": "about ", "<": "less than ", ">": "more than " };

/** "5kg", "20°C", "100km/h", "5-10mg", "16GB". */
const glued: Rule = (place) => {
  const match = GLUED.exec(textAt(place, 0));
  const [, sign = "", first, second, symbol = ""] = match ?? [];
  if (first === undefined) return undefined;
  const unit = unitOf(symbol);
  const from = parseNumber((LEADS[sign] === undefined ? sign : "") + first);
  const to = second === undefined ? undefined : parseNumber(second);
  if (unit === undefined || from === undefined || (second !== undefined && to === undefined)) return undefined;
  const range = to === undefined ? "" : ` to ${quantity(to, place.style)}`;
  const single = to === undefined && from.whole === "1" && from.fraction === undefined;
  return [`${LEADS[sign] ?? ""}${quantity(from, place.style)}${range} ${single ? unit.one : unit.many}`];
};

/** "kg" in "5 kg": the number before it has been read already. */
const separate: Rule = (place) => {
  const previous = joinedPrevious(place);
  const scaled = /^(?:hundred|thousand|million|billion|trillion)$/.test(previous);
  if (!NUMERIC_END.test(previous) && !scaled) return undefined;
  const symbol = textAt(place, 0);
  const afterFeet = symbol === "in" && /^(?:ft|feet|foot)$/.test(textAt(place, -2)) && /^\d/.test(textAt(place, -3));
  if (WORDLIKE_UNITS.has(symbol) && !afterFeet && tokenAt(place, 0)?.after.startsWith(".") !== true) return undefined;
  const unit = separateUnit(place, symbol);
  return unit === undefined ? undefined : [isAtMostOne(place, previous) ? unit.one : unit.many];
};

/** "1 kg", and "½ cup" or "3/4 lb", yet "1 1/2 cups". */
function isAtMostOne(place: Place, number: string): boolean {
  if (number === "1") return true;
  const fraction = /^(?:[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]|\d\/\d{1,2})$/.test(number);
  return fraction && !/^\d+$/.test(textAt(place, -2));
}

function separateUnit(place: Place, symbol: string): Unit | undefined {
  const next = textAt(place, 1);
  // "5 sq ft", "20 fl oz": the adjective is a token of its own.
  if (/^(?:sq|cu|fl)$/.test(symbol) && unitOf(next) !== undefined && /^\.?$/.test(tokenAt(place, 0)?.after ?? "!")) {
    const word = { sq: "square", cu: "cubic", fl: "fluid" }[symbol] ?? "";
    return { one: word, many: word };
  }
  return unitOf(symbol);
}

/** "ft" of "5 sq ft": its number is two tokens before. */
const afterAdjective: Rule = (place) => {
  const adjective = /^(?:sq|cu|square|cubic|fl|fluid)$/.test(textAt(place, -1));
  if (!adjective || !NUMERIC_END.test(textAt(place, -2))) return undefined;
  const unit = unitOf(textAt(place, 0));
  return unit === undefined ? undefined : [textAt(place, -2) === "1" ? unit.one : unit.many];
};

/** 5'10" and 5'10 (the closing quote is punctuation by now). */
const feet: Rule = (place) => {
  const match = /^(\d)'(\d{1,2})(?:"|″|'')?$/.exec(textAt(place, 0));
  if (match === null || Number(match[2]) > 11) return undefined;
  const [feetNumber, inches] = [parseNumber(match[1] ?? ""), parseNumber(match[2] ?? "")];
  return feetNumber === undefined || inches === undefined
    ? undefined
    : [`${quantity(feetNumber)} foot ${quantity(inches)}`];
};

/** "3x/day". */
const timesPer: Rule = (place) => {
  const [, digits = "", name = ""] = /^(\d{1,3})x\/([a-z]{1,6})$/.exec(textAt(place, 0)) ?? [];
  const number = parseNumber(digits);
  return number === undefined ? undefined : [`${quantity(number)} times per ${unitOf(name)?.one ?? name}`];
};

/** What is counted per: "10/day". */
export const RATED =
  /^(?:second|minute|hour|day|night|week|month|quarter|year|person|head|unit|item|seat|user|ticket)$/;

/** "12/kg", "10/day". */
const rate: Rule = (place) => {
  const [, digits = "", symbol = ""] = /^([-–]?[\d.,]+)\/([a-zµA-Z]{1,7})$/.exec(textAt(place, 0)) ?? [];
  const number = parseNumber(digits);
  const name = unitOf(symbol)?.one ?? (RATED.test(symbol) ? symbol : undefined);
  return number === undefined || name === undefined ? undefined : [`${quantity(number, place.style)} per ${name}`];
};

/** 6.1" and 27": inches, unless the sign closes a quotation. */
const inches: Rule = (place) => {
  const text = textAt(place, 0);
  const number = /^\d{1,3}(?:\.\d+)?$/.test(text) ? parseNumber(text) : undefined;
  const after = tokenAt(place, 0)?.after ?? "";
  if (!/^["”″]/.test(after)) return undefined;
  const [, over = "", under = ""] = /^(\d{1,2})\/(2|4|8|16|32|64)$/.exec(text) ?? [];
  const part = over === "" || insideQuotation(place) ? undefined : fraction(over, under);
  if (part !== undefined) return [`${part} inch`];
  if (number === undefined) return undefined;
  return insideQuotation(place) ? undefined : inchReading(place, number);
};

function inchReading(place: Place, number: WrittenNumber): Reading {
  const text = textAt(place, 0);
  const one = text === "1" || /^\p{Ll}/u.test(textAt(place, 1));
  return [`${quantity(number, place.style)} ${one ? "inch" : "inches"}`];
}

const DEGREES = table(`
  C: Celsius
  F: Fahrenheit
  N: north
  S: south
  E: east
  W: west`);

/** "C" of "30° C", "N" of "40.7° N". */
const degreeScale: Rule = (place) => {
  const name = DEGREES.get(textAt(place, 0));
  return name !== undefined && /\d°$/.test(joinedPrevious(place)) ? [name] : undefined;
};

const SAID_ALONE = /^(?:km|kg|cm|mm|[kMGT]?Hz|dB|kWh?|MWh?|GWh?|mph|[KMGT]B|[KMG]?bps|°[CF])$/;

/** Units without a number: "in km", "measured in m/s". */
const alone: Rule = (place) => {
  const symbol = textAt(place, 0);
  if (!SAID_ALONE.test(symbol) && !/^[a-zA-Zµ°]{1,3}\/[a-zµ]{1,3}[²³23]?$/.test(symbol)) return undefined;
  const unit = unitOf(symbol);
  return unit === undefined ? undefined : [unit.many];
};

/** Whether the token after counts what the number before it numbers. */
export const isUnit = (text: string): boolean => !WORDLIKE_UNITS.has(text) && unitOf(text) !== undefined;

/** Before the rules of numbers, which do not look at quotation marks. */
export const INCH_RULES: readonly Rule[] = [inches];
export const UNIT_RULES: readonly Rule[] = [feet, timesPer, rate, glued, degreeScale, separate, afterAdjective, alone];
