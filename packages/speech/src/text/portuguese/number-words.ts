import type { Gender, NumberWords } from "../rules/grammar.ts";
import { nounGender } from "./nouns.ts";

/** What Brazil and Portugal say in different ways. */
export type Region = "br" | "pt";

const ONES: Readonly<Record<Region, readonly string[]>> = {
  br: `zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezesseis dezessete dezoito
    dezenove`.split(/\s+/),
  pt: `zero um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis dezassete dezoito
    dezanove`.split(/\s+/),
};
const TENS = "_ _ vinte trinta quarenta cinquenta sessenta setenta oitenta noventa".split(" ");
const HUNDREDS = "_ cento duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos".split(
  " ",
);
/** Brazil has the short scale, Portugal the long one, in which thousands of millions are counted. */
const SCALES = ["", "mil", "milhão", "bilhão", "trilhão", "quatrilhão", "quintilhão", "sextilhão"];
const LONG_SCALES = ["", "milhão", "bilião", "trilião", "quatrilião"];

function belowThousand(n: number, region: Region): string {
  if (n === 100) return "cem";
  const words: string[] = [];
  if (n > 100) words.push(HUNDREDS[Math.floor(n / 100)] ?? "");
  const rest = n % 100;
  if (rest > 0 && rest < 20) words.push(ONES[region][rest] ?? "");
  else if (rest > 0) {
    words.push(TENS[Math.floor(rest / 10)] ?? "");
    if (rest % 10 > 0) words.push(ONES[region][rest % 10] ?? "");
  }
  return words.join(" e ");
}

/** "um", "dois" and the hundreds agree: "vinte e uma", "duzentas e duas". */
function agree(words: string, noun: Gender | undefined): string {
  if (noun !== "f") return words;
  return words
    .replace(/\bum$/, "uma")
    .replace(/\bdois$/, "duas")
    .replace(/(duz|trez|quatroc|quinh|seisc|setec|oitoc|novec)entos/g, "$1entas");
}

/** "e" is said before the last group where it is below a hundred or a whole hundred: "mil e cem", "mil cento e um". */
const isRound = (n: number): boolean => n < 100 || n % 100 === 0;

/** Groups of three digits with the name of each, from the highest. */
function joinGroups(groups: readonly { value: number; words: string }[]): string {
  const last = groups.at(-1);
  return groups
    .map(({ words }, index) =>
      index > 0 && index === groups.length - 1 && isRound(last?.value ?? 0) ? `e ${words}` : words,
    )
    .join(" ");
}

const pluralScale = (scale: string): string => scale.replace(/ão$/, "ões");

function shortScale(digits: string, region: Region, noun: Gender | undefined): string {
  const count = Math.ceil(digits.length / 3);
  const padded = digits.padStart(count * 3, "0");
  const groups: { value: number; words: string }[] = [];
  for (let group = 0; group < count; group++) {
    const value = Number(padded.slice(group * 3, group * 3 + 3));
    if (value === 0) continue;
    const scale = SCALES[count - 1 - group] ?? "";
    const own = agree(belowThousand(value, region), scale === "" || scale === "mil" ? noun : undefined);
    if (scale === "") groups.push({ value, words: own });
    else if (scale === "mil") groups.push({ value, words: value === 1 ? "mil" : `${own} mil` });
    else groups.push({ value, words: `${own} ${value === 1 ? scale : pluralScale(scale)}` });
  }
  return joinGroups(groups);
}

function longScale(digits: string, region: Region, noun: Gender | undefined): string {
  const count = Math.ceil(digits.length / 6);
  const padded = digits.padStart(count * 6, "0");
  const groups: { value: number; words: string }[] = [];
  for (let group = 0; group < count; group++) {
    const part = padded.slice(group * 6, group * 6 + 6).replace(/^0+/, "");
    if (part === "") continue;
    const scale = LONG_SCALES[count - 1 - group] ?? "";
    const own = shortScale(part, region, scale === "" ? noun : undefined);
    const name = part === "1" ? scale : pluralScale(scale);
    groups.push({ value: Number(part), words: scale === "" ? own : `${own} ${name}` });
  }
  return joinGroups(groups);
}

export interface PortugueseNumbers extends NumberWords {
  readonly region: Region;
}

export function numbersOf(region: Region): PortugueseNumbers {
  const digitByDigit = (digits: string): string =>
    [...digits].map((digit) => ONES[region][Number(digit)] ?? "").join(" ");
  const cardinal = (digits: string, noun?: Gender): string => {
    const significant = digits.replace(/^0+(?=\d)/, "");
    if (significant === "0") return "zero";
    if (significant.length > 24) return digitByDigit(digits);
    return (region === "br" ? shortScale : longScale)(significant, region, noun);
  };
  return {
    region,
    decimalMark: ",",
    cardinal,
    ordinal,
    digits: digitByDigit,
    decimals: digitByDigit,
    point: (mark) => (mark === "," ? "vírgula" : "ponto"),
    minus: "menos",
    plus: "mais",
    scaleWords: /^(?:mil|milh(?:ão|ões)|bilh(?:ão|ões)|trilh(?:ão|ões)|bili(?:ão|ões)|trili(?:ão|ões)|mi|bi|tri)$/i,
    scaleSigns: new Map([
      ["k", ["mil", "mil"]],
      ["K", ["mil", "mil"]],
      ["M", ["milhão", "milhões"]],
      ["mi", ["milhão", "milhões"]],
      ["bi", region === "br" ? ["bilhão", "bilhões"] : ["bilião", "biliões"]],
    ]),
    range: "a",
    times: { one: "vez", many: "vezes", gender: "f" },
    nounGender,
  };
}

const ORDINAL_ONES = "_ primeiro segundo terceiro quarto quinto sexto sétimo oitavo nono".split(" ");
const ORDINAL_TENS =
  "_ décimo vigésimo trigésimo quadragésimo quinquagésimo sexagésimo septuagésimo octogésimo nonagésimo".split(" ");
const ORDINAL_HUNDREDS =
  "_ centésimo ducentésimo trecentésimo quadringentésimo quingentésimo sexcentésimo septingentésimo octingentésimo noningentésimo".split(
    " ",
  );

function ordinalBelowThousand(n: number): string[] {
  return [
    ORDINAL_HUNDREDS[Math.floor(n / 100)] ?? "",
    ORDINAL_TENS[Math.floor((n % 100) / 10)] ?? "",
    ORDINAL_ONES[n % 10] ?? "",
  ].filter((word) => word !== "" && word !== "_");
}

/** "vigésima primeira", "centésimo décimo primeiro", "milésimo". All words agree. */
export function ordinal(digits: string, gender: Gender, plural = false): string {
  const n = Number(digits);
  const thousands = Math.floor(n / 1000);
  const words = ordinalBelowThousand(n % 1000);
  if (thousands > 0) words.unshift(...(thousands === 1 ? [] : ordinalBelowThousand(thousands)), "milésimo");
  if (n >= 1_000_000 || words.length === 0) return n === 1_000_000 ? "milionésimo" : numbersOf("br").cardinal(digits);
  const ending = `${gender === "f" ? "a" : "o"}${plural ? "s" : ""}`;
  return words.map((word) => word.replace(/o$/, ending)).join(" ");
}
