import type {
  AbbreviationWords,
  AddressWords,
  FractionWords,
  NumberWords,
  OrdinalWords,
  SymbolWords,
} from "../rules/grammar.ts";
import { currencies, nouns } from "../rules/nouns.ts";
import { table, wordSet } from "../rules/rule.ts";
import { isRomanceWord } from "../rules/spelling.ts";
import { cardinal, denominator, digitByDigit, ordinalStem } from "./number-words.ts";

const NUMBERS: NumberWords = {
  cardinal,
  ordinal: (digits) => `${ordinalStem(digits)}er`,
  decimals: digitByDigit,
  digits: digitByDigit,
  minus: "minus",
  plus: "plus",
  decimalMark: ",",
  point: (mark) => (mark === "," ? "Komma" : "Punkt"),
  range: "bis",
  times: { one: "Mal", many: "Mal", gender: "m" },
  scaleWords: /^(?:Tausend|Million(?:en)?|Milliarden?|Billion(?:en)?|Mio|Mrd)$/i,
  scaleSigns: new Map([
    ["k", ["Tausend", "Tausend"]],
    ["Mio", ["Million", "Millionen"]],
    ["Mrd", ["Milliarde", "Milliarden"]],
  ]),
};

const FRACTIONS: FractionWords = {
  say: (over, under) => {
    const [top, bottom] = [Number(over), Number(under)];
    if (bottom < 2 || top === 0 || over.length > 6 || bottom > 1000) return undefined;
    if (bottom === 2) return top === 1 ? "ein halb" : `${cardinal(over)} halbe`;
    return `${cardinal(over, "m")} ${denominator(under)}`;
  },
  mixed: (whole, part) => `${cardinal(whole, "m")} ${part}`,
};

const ORDINALS: OrdinalWords = {
  pattern: /^(\d[\d.]*)(te[nrsm]?|ste[nrsm]?)$/,
  say: (digits, ending) => ordinalStem(digits) + ending.replace(/^s?t/, ""),
};

const ABBREVIATIONS: AbbreviationWords = {
  always: table(`
    dr: Doktor
    hr: Herr
    fr: Frau
    z.b: zum Beispiel
    z. b: zum Beispiel
    d.h: das heißt
    d. h: das heißt
    u.a: unter anderem
    u. a: unter anderem
    bzw: beziehungsweise
    usw: und so weiter
    ca: circa
    evtl: eventuell
    ggf: gegebenenfalls
    inkl: inklusive
    bspw: beispielsweise
    vgl: vergleiche
    mwst: Mehrwertsteuer
    mio: Millionen
    mrd: Milliarden
    u.s.w: und so weiter
    v. chr: vor Christus
    n. chr: nach Christus`),
  dotted: table(`
    prof: Professor
    str: Straße
    nr: Nummer
    tel: Telefon
    st: Sankt
    max: maximal
    min: Minuten
    geb: geboren
    gest: gestorben
    etc: et cetera
    abs: Absatz
    hrsg: herausgegeben
    mo: Montag
    di: Dienstag
    mi: Mittwoch
    do: Donnerstag
    sa: Samstag
    so: Sonntag`),
  beforeNumber: table(`
    s: Seite
    nr: Nummer
    art: Artikel
    abs: Absatz
    kap: Kapitel
    bd: Band
    abb: Abbildung
    jh: Jahrhundert
    #: Nummer`),
};

const ADDRESSES: AddressWords = {
  signs: {
    ".": "Punkt",
    "/": "Slash",
    "\\": "Backslash",
    "-": "Minus",
    _: "Unterstrich",
    "@": "ät",
    ":": "Doppelpunkt",
    "#": "Raute",
    "+": "Plus",
    "=": "gleich",
    "&": "und",
    "?": "Fragezeichen",
  },
  parts: table(`
    com: com
    de: D.E
    at: A.T
    gmail: gmail
    info: info`),
  pronounceable: isRomanceWord,
  hashtag: "Hashtag",
  version: "Version",
};

const SYMBOLS: SymbolWords = {
  always: table(`
    &: und
    @: ät
    %: Prozent
    °: Grad
    §: Paragraf
    ≈: ungefähr
    ≤: kleiner gleich
    ≥: größer gleich
    ±: plus minus
    ÷: geteilt durch`),
  between: table(`
    +: plus
    -: minus
    –: bis
    =: gleich
    ×: mal
    *: mal
    x: mal
    /: durch
    ^: hoch
    <: kleiner als
    >: größer als`),
  leads: table(`
    ~: etwa
    ≈: etwa
    <: weniger als
    >: mehr als`),
  powers: { "²": "Quadrat", "³": "hoch drei" },
};

/** Numbers have the same form before these, adjectives have not. */
const NEUTER = /(?:gramm|byte|volt|watt|hertz|ampere|prozent|promille|dezibel)$/i;

const prefixed = (word: string) => (unit: { one: string; many: string; gender: "m" | "f" | undefined }) => ({
  one: word + unit.one.toLowerCase(),
  many: word + unit.many.toLowerCase(),
  gender: unit.gender,
});

export const WORD_GRAMMAR = {
  numbers: NUMBERS,
  fractions: FRACTIONS,
  ordinals: ORDINALS,
  abbreviations: ABBREVIATIONS,
  addresses: ADDRESSES,
  symbols: SYMBOLS,
  phones: {
    extension: "Durchwahl",
    extensionSigns: wordSet("dw durchwahl"),
    spaced: /^0\d{2,5} \d{3,8}(?: \d{2,6})?$/,
  },
  money: {
    currencies: currencies(`
      € EUR: Euro, Euro, m; Cent, Cent, m
      $ USD US$: Dollar, Dollar, m; Cent, Cent, m
      £ GBP: Pfund, Pfund, m; Penny, Pence, m
      CHF: Franken, Franken, m; Rappen, Rappen, m
      ¥ JPY: Yen, Yen, m
      ₹ INR: Rupie, Rupien, f`),
    joint: "",
    of: (name: string) => name,
  },
  units: {
    units: nouns(`
      km: Kilometer, Kilometer, m
      m: Meter, Meter, m
      dm: Dezimeter, Dezimeter, m
      cm: Zentimeter, Zentimeter, m
      mm: Millimeter, Millimeter, m
      µm: Mikrometer, Mikrometer, m
      ft: Fuß, Fuß, m
      ″: Zoll, Zoll, m
      EL: Esslöffel, Esslöffel, m
      TL: Teelöffel, Teelöffel, m
      t: Tonne, Tonnen, f
      kg: Kilogramm, Kilogramm, m
      g: Gramm, Gramm, m
      mg: Milligramm, Milligramm, m
      l L: Liter, Liter, m
      ml: Milliliter, Milliliter, m
      cl: Zentiliter, Zentiliter, m
      ha: Hektar, Hektar, m
      h Std: Stunde, Stunden, f
      min Min: Minute, Minuten, f
      s Sek: Sekunde, Sekunden, f
      ms: Millisekunde, Millisekunden, f
      W: Watt, Watt, m
      kW: Kilowatt, Kilowatt, m
      MW: Megawatt, Megawatt, m
      kWh kwh: Kilowattstunde, Kilowattstunden, f
      V: Volt, Volt, m
      mV mv: Millivolt, Millivolt, m
      A: Ampere, Ampere, m
      Hz: Hertz, Hertz, m
      kHz: Kilohertz, Kilohertz, m
      MHz: Megahertz, Megahertz, m
      GHz: Gigahertz, Gigahertz, m
      dB: Dezibel, Dezibel, m
      PS: P.S, P.S, m
      KB kB: Kilobyte, Kilobyte, m
      MB: Megabyte, Megabyte, m
      GB: Gigabyte, Gigabyte, m
      TB: Terabyte, Terabyte, m
      km/h: Kilometer pro Stunde, Kilometer pro Stunde, m
      °: Grad, Grad, m
      °C ℃: Grad Celsius, Grad Celsius, m
      °F: Grad Fahrenheit, Grad Fahrenheit, m
      %: Prozent, Prozent, m
      ‰: Promille, Promille, m`),
    per: "pro",
    powers: { "²": prefixed("Quadrat"), "³": prefixed("Kubik") },
    ofUnit: (unit: { one: string }) => unit.one,
    halfOf: (unit: { one: string; gender: "m" | "f" | undefined }) =>
      unit.gender === "f" ? `eine halbe ${unit.one}` : `ein halbe${NEUTER.test(unit.one) ? "s" : "r"} ${unit.one}`,
  },
};
