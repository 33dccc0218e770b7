import type { FractionWords, Gender, NumberWords, OrdinalWords, RomanWords } from "../rules/grammar.ts";
import { joinedNext, joinedPrevious, type Rule, textAt, wordSet } from "../rules/rule.ts";
import { cardinal, decimals, denominator, digitByDigit, ordinal } from "./number-words.ts";

const NO_NOUNS =
  wordSet(`una come sono dopo fino sotto sopra contro verso della alla nella sulla dalla anche oppure ancora poi quindi
  allora circa meno ogni questo questa quello quella molto poco tutto tutta prima quasi mentre senza invece però ma con per del`);

/** "un giorno", "una volta", "uno studente". Before a vowel "una" is cut to what sounds like "un". */
function nounGender(word: string): Gender | undefined {
  const noun = word.toLowerCase();
  if (noun.length < 3 || NO_NOUNS.has(noun) || !/^\p{L}+$/u.test(noun)) return undefined;
  if (/^(?:s[^aeiou]|z|gn|ps|x|y)/.test(noun) && !noun.endsWith("a")) return undefined;
  if (/(?:a|zione|sione|tà|tù)$/.test(noun)) return /^[aeiou]/.test(noun) ? "m" : "f";
  return /[oe]$/.test(noun) ? "m" : undefined;
}

const NUMBERS: NumberWords = {
  cardinal,
  ordinal,
  decimals,
  digits: digitByDigit,
  minus: "meno",
  plus: "più",
  decimalMark: ",",
  point: (mark) => (mark === "," ? "virgola" : "punto"),
  scaleWords: /^(?:mila|mille|milion[ei]|miliard[oi]|bilion[ei])$/i,
  scaleSigns: new Map([
    ["k", ["mila", "mila"]],
    ["K", ["mila", "mila"]],
    ["M", ["milione", "milioni"]],
    ["mln", ["milione", "milioni"]],
    ["mld", ["miliardo", "miliardi"]],
  ]),
  range: "a",
  times: { one: "volta", many: "volte", gender: "f" },
  nounGender: (word, many) => (many ? undefined : nounGender(word)),
};

const FRACTIONS: FractionWords = {
  say: (over, under) => {
    const [top, bottom] = [Number(over), Number(under)];
    if (bottom < 2 || top === 0 || over.length > 6 || under.length > 6) return undefined;
    if (top > bottom * 4 || bottom > 1000) return `${cardinal(over)} su ${cardinal(under)}`;
    return `${cardinal(over, "m")} ${denominator(under, top > 1)}`;
  },
  // "tre e mezzo", yet "tre e un quarto".
  mixed: (whole, part) => `${cardinal(whole)} e ${part.replace(/^un mezzo$/, "mezzo")}`,
  laws: { before: /^(?:legge|decreto|regolamento|direttiva|sentenza|n|d\.lgs|d\.l|dl|nr)$/i, joint: "del" },
};

const PLURAL = /[ie]$/;

const ORDINALS: OrdinalWords = {
  pattern: /^(\d[\d.\u2009]*)\.?(º|ª|o|a|i|e|mo|ma|esimo|esima|esimi|esime)$/,
  say: (digits, ending) => ordinal(digits, /[ªae]$/.test(ending) ? "f" : "m", PLURAL.test(ending)),
};

const ARTICLES =
  /^(?:|il|lo|la|i|gli|le|l'|un|una|uno|al|allo|alla|del|dello|della|nel|nello|nella|sul|sulla|dal|dalla|suo|sua|mio|mia|ogni)$/i;
const FEMININE = /(?:a|zione|sione|ione|tà|classe|parte|serie|notte|sede|stagione)$/;

/** "il 3° posto": an ordinal behind an article or at the start; "ci sono 20°" are degrees. */
const degreeOrdinal: Rule = (place) => {
  const [, digits = ""] = /^(\d{1,4})°$/.exec(textAt(place, 0)) ?? [];
  if (digits === "" || !ARTICLES.test(joinedPrevious(place))) return undefined;
  const next = joinedNext(place);
  if (/^(?:[CFNSEO]|Celsius|Fahrenheit|nord|sud|est|ovest)$/.test(next)) return undefined;
  return [ordinal(digits, FEMININE.test(next) ? "f" : "m")];
};

/** Names in -a that men have too. */
const MEN = wordSet("Andrea Luca Nicola Mattia Enea");

const numbered = (value: number, gender: Gender): string => ordinal(String(value), gender);

const ROMAN: RomanWords = {
  ruler: (value, name) => numbered(value, name.endsWith("a") && !MEN.has(name) ? "f" : "m"),
  rulers:
    wordSet(`Luigi Enrico Carlo Francesco Filippo Napoleone Giovanni Paolo Benedetto Pio Leone Gregorio Clemente Innocenzo Urbano
    Bonifacio Alessandro Nicola Pietro Caterina Elisabetta Giorgio Edoardo Guglielmo Giacomo Riccardo Federico Leopoldo Alberto
    Ferdinando Alfonso Emanuele Umberto Amedeo Ramses Tolomeo Maometto Roberto Lotario Sisto Giulio Adriano Celestino Ottone
    Cosimo Vittorio Vittorio-Emanuele Solimano Ivan Margherita Maria Isabella Sergio Callisto Eugenio Martino Onorio`),
  before:
    wordSet(`cap vol art sec capitolo tomo atto libro volume articolo titolo secolo fase tipo livello canto episodio grado paragrafo comma
    scena parte sezione classe stagione edizione secoli capitoli volumi libri articoli titoli canti`),
  numbered: (value, word) => numbered(value, FEMININE.test(word) && word !== "comma" ? "f" : "m"),
  after: new Map([
    ["secolo", (value: number) => numbered(value, "m")],
    ["sec", (value: number) => numbered(value, "m")],
    ["secoli", (value: number) => numbered(value, "m")],
    ["edizione", (value: number) => numbered(value, "f")],
    ["legislatura", (value: number) => numbered(value, "f")],
    ["guerra", (value: number) => numbered(value, "f")],
    ["capitolo", (value: number) => numbered(value, "m")],
    ["congresso", (value: number) => numbered(value, "m")],
    ["dinastia", (value: number) => numbered(value, "f")],
  ]),
};

export const NUMBER_GRAMMAR = { numbers: NUMBERS, fractions: FRACTIONS, ordinals: ORDINALS, roman: ROMAN };
export const NUMBER_RULES: readonly Rule[] = [degreeOrdinal];
