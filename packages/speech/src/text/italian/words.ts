import type { AddressWords, MoneyWords, PhoneWords, SymbolWords } from "../rules/grammar.ts";
import { leadSigns } from "../rules/lead-signs.ts";
import { table, wordSet } from "../rules/rule.ts";
import { isRomanceWord } from "../rules/spelling.ts";
import { CURRENCIES } from "./currencies.ts";

const MONEY: MoneyWords = { currencies: CURRENCIES, joint: "", of: (name) => `di ${name}` };

const ADDRESSES: AddressWords = {
  signs: {
    ".": "punto",
    "/": "slash",
    "\\": "backslash",
    "-": "trattino",
    _: "trattino basso",
    "@": "chiocciola",
    ":": "due punti",
    "#": "cancelletto",
    "~": "tilde",
    "+": "più",
    "=": "uguale",
    "&": "e commerciale",
    "?": "punto interrogativo",
    "%": "percento",
  },
  parts: table(`
    app: app
    com: com
    net: net
    org: org
    edu: edu
    gov: gov
    info: info
    it: it
    gmail: gmail
    html: html
    www: W.W.W
    io: I.O
    eu: E.U
    ai: A.I
    pdf: P.D.F`),
  pronounceable: isRomanceWord,
  hashtag: "hashtag",
  version: "versione",
};

const PHONES: PhoneWords = {
  extension: "interno",
  extensionSigns: wordSet("int interno ext"),
  spaced:
    /^(?:3\d{2} \d{3} ?\d{4}|3\d{2} \d{6,7}|3\d{2} \d{3} \d{2} \d{2}|0\d{1,3} \d{5,8}|0\d{1,3}(?: \d{2,4}){2,3}|800 \d{3} \d{3})$/,
};

const SYMBOLS: SymbolWords = {
  always: table(`
    &: e
    @: chiocciola
    %: percento
    °: gradi
    §: paragrafo
    ≈: circa
    ≠: diverso da
    ≤: minore o uguale a
    ≥: maggiore o uguale a
    ±: più o meno
    ÷: diviso
    √: radice quadrata di
    π: pi greco
    ∞: infinito`),
  between: table(`
    +: più
    -: meno
    –: a
    =: uguale
    ×: per
    *: per
    x: per
    /: su
    ^: elevato a
    <: minore di
    >: maggiore di`),
  leads: leadSigns({
    about: "circa",
    less: "meno di",
    more: "più di",
    atMost: "al massimo",
    atLeast: "almeno",
    plusMinus: "più o meno",
  }),
  powers: { "²": "al quadrato", "³": "al cubo" },
};

export const WORD_GRAMMAR = { money: MONEY, addresses: ADDRESSES, phones: PHONES, symbols: SYMBOLS };
