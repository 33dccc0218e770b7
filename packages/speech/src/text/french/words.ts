import type { AddressWords, MoneyWords, PhoneWords, SymbolWords } from "../rules/grammar.ts";
import { leadSigns } from "../rules/lead-signs.ts";
import { table, wordSet } from "../rules/rule.ts";
import { isRomanceWord } from "../rules/spelling.ts";
import { CURRENCIES } from "./currencies.ts";
import { cardinal, digitByDigit } from "./number-words.ts";

const MONEY: MoneyWords = {
  currencies: CURRENCIES,
  joint: "et",
  of: (name) => (/^[aeiouyh]/.test(name) ? `d'${name}` : `de ${name}`),
};

/** Initials that are spelled although they look like a word. */
const SPELLED = wordSet("ONG PIB VIP RER ADN ARN IRM OGM EDF UMP LED OPA TER RIB VIH IVG ISF");

const ADDRESSES: AddressWords = {
  signs: {
    ".": "point",
    "/": "slash",
    "\\": "antislash",
    "-": "tiret",
    _: "tiret bas",
    "@": "arobase",
    ":": "deux points",
    "#": "dièse",
    "~": "tilde",
    "+": "plus",
    "=": "égale",
    "&": "et commercial",
    "?": "point d'interrogation",
    "%": "pour cent",
  },
  parts: table(`
    app: app
    com: com
    gmail: gmail
    net: net
    org: org
    gouv: gouv
    info: info
    html: H.T.M.L
    pdf: P.D.F
    jpg: J.P.G
    png: P.N.G
    io: I.O
    ai: A.I
    eu: E.U
    be: B.E
    fr: F.R
    ca: C.A
    ch: C.H`),
  pronounceable: (letters) => isRomanceWord(letters) && !SPELLED.has(letters),
  hashtag: "hashtag",
  version: "version",
};

const PHONES: PhoneWords = {
  extension: "poste",
  extensionSigns: wordSet("poste ext"),
  spaced: /^0\d(?: \d{2}){4}$/,
  // Telephone numbers are said in pairs: "zéro six, douze".
  group: (digits) =>
    digits.length === 2 && !digits.startsWith("0")
      ? cardinal(digits)
      : digits.length > 3
        ? digitByDigit(digits)
        : said(digits),
};

/** "06" is "zéro six", "33" "trente-trois", "800" "huit cents". */
const said = (digits: string): string => (digits.startsWith("0") ? digitByDigit(digits) : cardinal(digits));

const SYMBOLS: SymbolWords = {
  always: table(`
    &: et
    @: arobase
    %: pour cent
    °: degrés
    §: paragraphe
    ≈: environ
    ≠: différent de
    ≤: inférieur ou égal à
    ≥: supérieur ou égal à
    ±: plus ou moins
    ÷: divisé par
    √: racine carrée de
    π: pi
    ∞: infini`),
  between: table(`
    +: plus
    -: moins
    –: à
    =: égale
    ×: fois
    *: fois
    x: fois
    /: sur
    ^: puissance
    <: inférieur à
    >: supérieur à`),
  leads: leadSigns({
    about: "environ",
    less: "moins de",
    more: "plus de",
    atMost: "au plus",
    atLeast: "au moins",
    plusMinus: "plus ou moins",
  }),
  powers: { "²": "au carré", "³": "au cube" },
};

export const WORD_GRAMMAR = { money: MONEY, addresses: ADDRESSES, phones: PHONES, symbols: SYMBOLS };
