import type { Rule } from "./rule.ts";

export type Gender = "m" | "f";

/** How numbers are said. A gender asks for the form before a noun: "veintiún", "doscientas". */
export interface NumberWords {
  /** The mark before decimals; the other one of "." and "," separates thousands, and so does a space. */
  readonly decimalMark: "," | ".";
  readonly cardinal: (digits: string, noun?: Gender) => string;
  readonly ordinal: (digits: string, gender: Gender, plural?: boolean) => string;
  /** Each digit by itself. */
  readonly digits: (digits: string) => string;
  /** The digits after the decimal mark. */
  readonly decimals: (digits: string, noun?: Gender) => string;
  /** The decimal mark as it was written: "coma" or "punto". */
  readonly point: (mark: "," | ".") => string;
  readonly minus: string;
  readonly plus: string;
  /** Whether the whole of a decimal agrees with the noun: "una coma cinco horas". */
  readonly wholeAgrees?: boolean;
  /** "5 millones": words that multiply the number before them. */
  readonly scaleWords: RegExp;
  /** "5M": signs that do, with their word for one and for more. */
  readonly scaleSigns: ReadonlyMap<string, readonly [one: string, many: string]>;
  /** "10–12" is "10 a 12". */
  readonly range: string;
  /** "3x" is "tres veces". */
  readonly times: Noun;
  /** The gender of a noun that a number counts, or undefined if the word is none. */
  readonly nounGender?: (word: string, many: boolean) => Gender | undefined;
}

/** Something that numbers count. */
export interface Noun {
  readonly one: string;
  readonly many: string;
  /** Without one the number has the form it has by itself: "uno por ciento". */
  readonly gender: Gender | undefined;
}

export interface Currency extends Noun {
  readonly cent: Noun | undefined;
}

export interface MoneyWords {
  /** By sign or code. Keys in lower case are found in any case, others only as they are. */
  readonly currencies: ReadonlyMap<string, Currency>;
  /** Between the whole and the cents: "", "e", "con". */
  readonly joint: string;
  /** "dos millones de euros": what is between a scale word and the name. */
  readonly of: (name: string) => string;
}

export interface UnitWords {
  /** By symbol; case matters. */
  readonly units: ReadonlyMap<string, Noun>;
  /** "kilómetros por hora". */
  readonly per: string;
  /** "litri ogni cento chilometri", where that is another word. */
  readonly perSeveral?: string;
  /** "²" and "³" after a unit: "metros cuadrados". */
  readonly powers: Readonly<Record<string, (unit: Noun) => Noun>>;
  /** "tres quintos de milla": between a fraction and its unit. */
  readonly ofUnit: (unit: Noun) => string;
  /** "medio litro", where a half is said so. */
  readonly halfOf?: (unit: Noun) => string;
}

export interface DateWords {
  /** Twelve names. */
  readonly months: readonly string[];
  /** Short forms, lower case, without a dot: the number of the month. */
  readonly shortMonths: ReadonlyMap<string, number>;
  /** What is written between day and month, or before the year: "de". */
  readonly joints: RegExp;
  readonly say: (day: string, month: string, year: string | undefined) => string;
  /** The day as it is said before the month: "primero" for 1. */
  readonly day: (digits: string) => string;
  readonly year: (digits: string) => string;
  /** The words between day and month as they are said: "de", or "". */
  readonly joint: string;
  /** "1–3 de mayo" is "1 a 3". */
  readonly range: string;
  /** Words before "5/3" that make it a date and not a fraction. */
  readonly context: RegExp;
}

export interface ClockTime {
  readonly hour: number;
  readonly minute: number;
  readonly second: number | undefined;
  readonly half: "am" | "pm" | undefined;
  /** Written with the sign of hours: "14h30", "14:30 h". */
  readonly marked: boolean;
}

export interface TimeWords {
  readonly say: (time: ClockTime) => string | undefined;
  /** The sign of hours after a number: "h", "hs", "hrs". */
  readonly hourSign: RegExp;
  /** Words before "13.30" that make it a time. */
  readonly context: RegExp;
  /** "9h–12h" is "9 a 12". */
  readonly range: string;
}

export interface FractionWords {
  /** "un tercio", or undefined if it is not a usual fraction. */
  readonly say: (over: string, under: string) => string | undefined;
  /** "tres y un tercio". */
  readonly mixed: (whole: string, part: string) => string;
  /** "ley 39/2015": words before the number of a law, and what is said before its year. */
  readonly laws?: { readonly before: RegExp; readonly joint: string };
}

export interface OrdinalWords {
  /** Matches the whole token; the groups are the digits and the ending. */
  readonly pattern: RegExp;
  readonly say: (digits: string, ending: string) => string | undefined;
  /** Words before "35°" that make it degrees and not an ordinal, where "°" is an ending. */
  readonly beforeDegrees?: RegExp;
}

export interface RomanWords {
  /** What follows the name of a ruler or pope. */
  readonly ruler: (value: number, name: string) => string;
  readonly rulers: ReadonlySet<string>;
  /** Words before the numeral, lower case: "siglo", "capítulo". */
  readonly before: ReadonlySet<string>;
  readonly numbered: (value: number, word: string) => string;
  /** Words after the numeral, lower case: "siècle", "edición". */
  readonly after: ReadonlyMap<string, (value: number) => string>;
}

export interface AbbreviationWords {
  /** Lower case, without the last dot; "ee. uu" is two tokens. Said with or without a dot. */
  readonly always: ReadonlyMap<string, string>;
  /** Only with a dot after them. "máximo, máxima": an adjective and its feminine form. */
  readonly dotted: ReadonlyMap<string, string>;
  /** Only before a number: "pág. 5". */
  readonly beforeNumber: ReadonlyMap<string, string>;
  /** Only after a number. */
  readonly afterNumber?: ReadonlyMap<string, string>;
  /** Only before a name, which starts with a capital: "S. Pedro". */
  readonly beforeName?: ReadonlyMap<string, string>;
  readonly feminineArticles?: ReadonlySet<string>;
}

export interface AddressWords {
  readonly signs: Readonly<Record<string, string>>;
  /** Parts that are said in a special way, and parts that are words. */
  readonly parts: ReadonlyMap<string, string>;
  /** Whether letters look like a word of the language. */
  readonly pronounceable: (letters: string) => boolean;
  readonly hashtag: string;
  /** "v2.1". */
  readonly version: string;
}

export interface PhoneWords {
  readonly extension: string;
  /** The written forms of "extension", lower case. */
  readonly extensionSigns: ReadonlySet<string>;
  /** Groups of digits with spaces between that are a telephone number: "612 345 678". */
  readonly spaced: RegExp;
  /** A group of digits; digit by digit without it. */
  readonly group?: (digits: string) => string;
}

export interface SymbolWords {
  readonly always: ReadonlyMap<string, string>;
  /** Only between two numbers or variables. */
  readonly between: ReadonlyMap<string, string>;
  /** Before a number: "~" is "about". */
  readonly leads: ReadonlyMap<string, string>;
  /** "²" and "³" after a number or a variable. */
  readonly powers: Readonly<Record<string, string>>;
}

/** Everything that the rules need to know of a language. */
export interface Grammar {
  readonly numbers: NumberWords;
  readonly money: MoneyWords;
  readonly units: UnitWords;
  readonly dates: DateWords;
  readonly times: TimeWords;
  readonly fractions: FractionWords;
  readonly ordinals: OrdinalWords;
  readonly roman?: RomanWords;
  readonly abbreviations: AbbreviationWords;
  readonly addresses: AddressWords;
  readonly phones: PhoneWords;
  readonly symbols: SymbolWords;
  /** Rules of this language alone, tried before all others. */
  readonly special?: readonly Rule[];
}
