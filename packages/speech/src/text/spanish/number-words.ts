import type { Gender, NumberWords } from "../rules/grammar.ts";
import { nounGender } from "./nouns.ts";

const ONES =
  `cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete
  dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho
  veintinueve`.split(/\s+/);
const TENS = "_ _ _ treinta cuarenta cincuenta sesenta setenta ochenta noventa".split(" ");
const HUNDREDS =
  "_ ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos".split(" ");
/** The long scale: a name for every million millions. */
const MILLIONS = ["", "millón", "billón", "trillón", "cuatrillón"];

function belowHundred(n: number): string {
  if (n < 30) return ONES[n] ?? "";
  const tens = TENS[Math.floor(n / 10)] ?? "";
  return n % 10 === 0 ? tens : `${tens} y ${ONES[n % 10] ?? ""}`;
}

function belowThousand(n: number): string {
  if (n === 100) return "cien";
  if (n < 100) return belowHundred(n);
  const hundreds = HUNDREDS[Math.floor(n / 100)] ?? "";
  return n % 100 === 0 ? hundreds : `${hundreds} ${belowHundred(n % 100)}`;
}

/** "uno" before a noun: "un", "veintiún", "una"; hundreds agree too. */
function agree(words: string, noun: Gender | undefined): string {
  if (noun === "f")
    return words.replace(/uno$/, "una").replaceAll("cientos", "cientas").replace("quinientos", "quinientas");
  return noun === "m" ? words.replace(/veintiuno$/, "veintiún").replace(/uno$/, "un") : words;
}

/** The words of at most six digits. */
function belowMillion(n: number, noun: Gender | undefined): string {
  const [thousands, rest] = [Math.floor(n / 1000), n % 1000];
  const words: string[] = [];
  if (thousands === 1) words.push("mil");
  else if (thousands > 1) words.push(`${thousandsOf(thousands, noun)} mil`);
  if (rest > 0) words.push(agree(belowThousand(rest), noun));
  return words.join(" ");
}

/** "veintiún mil", "doscientas mil personas": the hundreds agree, "un" does not. */
const thousandsOf = (n: number, noun: Gender | undefined): string =>
  noun === "f"
    ? agree(belowThousand(n), "f")
        .replace(/una$/, "un")
        .replace(/veintiun$/, "veintiún")
    : agree(belowThousand(n), "m");

export function cardinal(digits: string, noun?: Gender): string {
  const significant = digits.replace(/^0+(?=\d)/, "");
  if (significant.length > MILLIONS.length * 6) return digitByDigit(digits);
  if (significant === "0") return "cero";
  const groups = Math.ceil(significant.length / 6);
  const padded = significant.padStart(groups * 6, "0");
  const words: string[] = [];
  for (let group = 0; group < groups; group++) {
    const value = Number(padded.slice(group * 6, group * 6 + 6));
    const scale = MILLIONS[groups - 1 - group] ?? "";
    if (value === 0) continue;
    if (scale === "") words.push(belowMillion(value, noun));
    else words.push(value === 1 ? `un ${scale}` : `${belowMillion(value, "m")} ${scale.replace(/ón$/, "ones")}`);
  }
  return words.join(" ");
}

export const digitByDigit = (digits: string): string => [...digits].map((digit) => ONES[Number(digit)] ?? "").join(" ");

/** After the comma in pairs, zeros one by one: "33,32", "2,33302", "1,0101". Only the last number agrees. */
function decimals(digits: string, noun?: Gender): string {
  const pairs = (digits.match(/\d{1,2}/g) ?? []).flatMap((pair) => (pair.startsWith("0") ? [...pair] : [pair]));
  return agree(pairs.map((pair) => belowHundred(Number(pair))).join(" "), noun);
}

export const numbers: NumberWords = {
  decimalMark: ",",
  cardinal,
  ordinal: (digits, gender, plural) => ordinal(digits, gender, plural),
  digits: digitByDigit,
  decimals,
  point: (mark) => (mark === "," ? "coma" : "punto"),
  wholeAgrees: true,
  minus: "menos",
  plus: "más",
  scaleWords: /^(?:mil|mill(?:ón|on|ones)|bill(?:ón|on|ones)|trill(?:ón|on|ones))$/i,
  scaleSigns: new Map([
    ["k", ["mil", "mil"]],
    ["K", ["mil", "mil"]],
    ["M", ["millón", "millones"]],
    ["mill", ["millón", "millones"]],
  ]),
  range: "a",
  times: { one: "vez", many: "veces", gender: "f" },
  nounGender,
};

const ORDINAL_ONES = "_ primero segundo tercero cuarto quinto sexto séptimo octavo noveno".split(" ");
const ORDINAL_TENS =
  "_ décimo vigésimo trigésimo cuadragésimo quincuagésimo sexagésimo septuagésimo octogésimo nonagésimo".split(" ");
const ORDINAL_HUNDREDS =
  "_ centésimo ducentésimo tricentésimo cuadringentésimo quingentésimo sexcentésimo septingentésimo octingentésimo noningentésimo".split(
    " ",
  );
/** "decimo" and "vigesimo" are written together with the ones, without their accent. */
const JOINED_TENS: Readonly<Record<number, string>> = { 1: "decimo", 2: "vigesimo" };

function ordinalBelowThousand(n: number): string[] {
  const words: string[] = [];
  if (n >= 100) words.push(ORDINAL_HUNDREDS[Math.floor(n / 100)] ?? "");
  const [tens, ones] = [Math.floor((n % 100) / 10), n % 10];
  if (n % 100 === 11) words.push("undécimo");
  else if (n % 100 === 12) words.push("duodécimo");
  else if (ones === 0) words.push(ORDINAL_TENS[tens] ?? "_");
  else if (tens === 0) words.push(ORDINAL_ONES[ones] ?? "");
  else {
    const joined = JOINED_TENS[tens];
    const one = ORDINAL_ONES[ones] ?? "";
    if (joined === undefined) words.push(ORDINAL_TENS[tens] ?? "", one);
    else words.push(ones === 8 ? `${joined.slice(0, -1)}octavo` : joined + one);
  }
  return words.filter((word) => word !== "" && word !== "_");
}

/** "vigesimoprimera", "centésimo primero", "milésimo". All words agree. */
export function ordinal(digits: string, gender: Gender, plural = false): string {
  const n = Number(digits);
  const [thousands, rest] = [Math.floor(n / 1000), n % 1000];
  const words = ordinalBelowThousand(rest);
  if (thousands > 0 && thousands < 1000) {
    const multiple = thousands === 1 ? "" : cardinal(String(thousands), "m").replaceAll(" ", "");
    words.unshift(`${multiple}milésimo`);
  } else if (n === 1_000_000) words.push("millonésimo");
  if (words.length === 0 || n > 1_000_000) return cardinal(digits);
  const ending = `${gender === "f" ? "a" : "o"}${plural ? "s" : ""}`;
  return words.map((word) => word.replace(/o$/, ending)).join(" ");
}
