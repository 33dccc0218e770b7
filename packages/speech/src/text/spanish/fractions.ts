import type { FractionWords, OrdinalWords } from "../rules/grammar.ts";
import { cardinal, ordinal } from "./number-words.ts";

/** Lower ones are ordinals, apart from these. */
const PARTS: Readonly<Record<number, string>> = { 2: "medio", 3: "tercio" };

/** "onceavo", "treintaidosavo", "centésimo": undefined where "sobre" is said. */
function partName(under: number): string | undefined {
  const known = PARTS[under];
  if (known !== undefined) return known;
  if (under <= 10 || under === 100 || under === 1000) return ordinal(String(under), "m");
  if (under < 100) {
    const words = cardinal(String(under)).replace(" y ", "i");
    return `${unaccented(words).replace(/[ao]$/, "")}avo`;
  }
  if (under < 1000 && under % 100 === 0) return ordinal(String(under), "m");
  if (under < 1_000_000 && under % 1000 === 0) return `${joinedCardinal(under / 1000)}milésimo`;
  if (under === 1_000_000) return "millonésimo";
  return under < 1_000_000_000 && under % 1_000_000 === 0
    ? `${joinedCardinal(under / 1_000_000)}millonésimo`
    : undefined;
}

const unaccented = (words: string): string =>
  words
    .normalize("NFD")
    .replace(/\u0301/g, "")
    .normalize("NFC");
const joinedCardinal = (n: number): string => (n === 1 ? "" : unaccented(cardinal(String(n), "m")).replaceAll(" ", ""));

function say(over: string, under: string): string | undefined {
  const [top, bottom] = [Number(over), Number(under)];
  if (bottom < 2 || top === 0) return undefined;
  const name = partName(bottom);
  if (name === undefined) return `${cardinal(over)} sobre ${cardinal(under)}`;
  return `${cardinal(over, "m")} ${name}${top === 1 ? "" : "s"}`;
}

export const fractions: FractionWords = {
  say,
  mixed: (whole, part) => `${cardinal(whole)} y ${part === "un medio" ? "medio" : part}`,
  laws: {
    before:
      /^(?:ley|orgánica|decreto|decreto-ley|orden|directiva|reglamento|sentencia|expediente|resolución|nº|n\.º|núm)$/i,
    joint: "de",
  },
};

const ENDINGS = "º|°|o|ª|a|ᵉʳ|er|ʳ|os|ᵒˢ|as|ᵃˢ|ro|ra|do|da|to|ta|mo|ma|vo|va|no|na|ᵉʳᵒ|ᵒ|ᵃ";

/** "1.º", "2.ª", "3.ᵉʳ", "4to", "1os". */
export const ordinals: OrdinalWords = {
  beforeDegrees:
    /^(?:a|de|hace|hacía|hacen|hay|hasta|los|unos|entre|con|sobre|casi|son|tiene|tienen|alcanzó|marcó|supera|bajo)$/i,
  pattern: new RegExp(`^(\\d{1,3}(?:[.\u2009]?\\d{3})*)\\.?(${ENDINGS})$`),
  say: (digits, ending) => {
    const plain = ending.normalize("NFKC").toLowerCase();
    const plural = plain.endsWith("s");
    const gender = /as?$|ª$/.test(plain) ? "f" : "m";
    if (!/[ºª°]|\p{Lm}/u.test(ending) && plain.length === 1) return undefined;
    if (/^e?r$/.test(plain)) return short(digits);
    return ordinal(digits, gender, plural);
  },
};

/** "primer", "tercer", "vigesimoprimer": the form before a noun. "11.ᵉʳ" can only be the other word for eleven. */
const short = (digits: string): string =>
  (Number(digits) % 100 === 11 && digits.length === 2 ? "decimoprimero" : ordinal(digits, "m")).replace(
    /(primer|tercer)o$/,
    "$1",
  );
