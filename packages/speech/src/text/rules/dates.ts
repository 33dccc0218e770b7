import type { DateWords } from "./grammar.ts";
import { joinedPrevious, type Place, type Reading, type Rule, textAt, tokenAt } from "./rule.ts";
import type { SayClock } from "./times.ts";

const DAY = /^(0?[1-9]|[12]\d|3[01])(?:\.?[ºo°]|er)?$/;
const YEAR = /^(?:1\d{3}|20\d{2})$/;
const NUMERIC = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/;
const ISO = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Only a dot of an abbreviation, a comma or nothing is between the parts of a date. */
const joins = (place: Place, offset: number): boolean => /^[.,]?,?$/.test(tokenAt(place, offset)?.after ?? "!");

export function dateRules(words: DateWords, clock: SayClock): Rule[] {
  const names = new Map<string, number>([
    ...words.shortMonths,
    ...words.months.map((name, index): [string, number] => [name.toLowerCase(), index + 1]),
  ]);
  const monthAt = (place: Place, offset: number): string | undefined => {
    const number = names.get(textAt(place, offset).toLowerCase());
    return number === undefined ? undefined : words.months[number - 1];
  };

  const spoken = (day: string, month: string, year: string | undefined): string | undefined => {
    const usual = DAY.test(day) && Number(month) <= 12;
    const name = words.months[Number(usual ? month : day) - 1];
    const date = usual ? day : month;
    if (name === undefined || !DAY.test(date)) return undefined;
    return words.say(words.day(date), name, year === undefined ? undefined : words.year(year));
  };

  /** "15/03/2024", "2024-03-15", with a time behind it too, "15.3.24". */
  const numeric: Rule = (place) => {
    const text = textAt(place, 0);
    const iso = ISO.exec(text);
    if (iso !== null) {
      const date = spoken(iso[4] ?? "", iso[3] ?? "", iso[1]);
      const time = iso[5] === undefined ? undefined : clock(iso[5]);
      return date === undefined ? undefined : [time === undefined ? date : `${date}, ${time}`];
    }
    const [, first = "", mark, second = "", year = ""] = NUMERIC.exec(text) ?? [];
    if (first === "" || (mark !== "/" && year.length === 2)) return undefined;
    const date = spoken(first, second, year);
    return date === undefined ? undefined : [date];
  };

  /** "15/mar/2024", "15-mar-24". */
  const slashedName: Rule = (place) => {
    const [, day = "", , name = "", year] =
      /^(\d{1,2})([-/])(\p{L}{3,10})(?:\2(\d{4}|\d{2}))?$/u.exec(textAt(place, 0)) ?? [];
    const month = words.months[(names.get(name.toLowerCase()) ?? 0) - 1];
    if (month === undefined || !DAY.test(day)) return undefined;
    return [words.say(words.day(day), month, year === undefined ? undefined : words.year(year))];
  };

  /** "15/03", and "5/3" where a date is expected. */
  const withoutYear: Rule = (place) => {
    const [, day = "", month = ""] = /^(\d{1,2})[/.](\d{1,2})$/.exec(textAt(place, 0)) ?? [];
    if (day === "" || Number(month) > 12) return undefined;
    // A fraction has no zero before its denominator.
    const padded = /\/0[1-9]$/.test(textAt(place, 0));
    if (!padded && !words.context.test(joinedPrevious(place))) return undefined;
    const date = spoken(day, month, undefined);
    return date === undefined ? undefined : [date];
  };

  /** "1 de enero de 2024", "3 mar. 2021", "1-3 mai". */
  const dayFirst: Rule = (place) => {
    const text = textAt(place, 0);
    const [, from, to] = /^(\d{1,2})[-–](\d{1,2})$/.exec(text) ?? [];
    const days = from === undefined || to === undefined ? [text] : [from, to];
    if (!days.every((day) => DAY.test(day)) || tokenAt(place, 0)?.after !== "") return undefined;
    const joint = words.joints.test(textAt(place, 1)) && tokenAt(place, 1)?.after === "" ? 1 : 0;
    const month = monthAt(place, 1 + joint);
    if (month === undefined) return undefined;
    const said = days.map((day) => words.day(day.replace(/\D/g, ""))).join(` ${words.range} `);
    const reading = joint === 1 ? [said, textAt(place, 1), month] : [said, joined(words.joint, month)];
    return [...reading, ...yearAt(place, reading.length)];
  };

  /** The year of a date, with the joint before it. */
  const yearAt = (place: Place, offset: number): Reading => {
    if (!joins(place, offset - 1)) return [];
    const joint = words.joints.test(textAt(place, offset)) && tokenAt(place, offset)?.after === "" ? 1 : 0;
    const year = textAt(place, offset + joint);
    if (!YEAR.test(year)) return [];
    return joint === 1 ? [textAt(place, offset), words.year(year)] : [joined(words.joint, words.year(year))];
  };

  /** "junio 11 2000", "marzo 3, 2021": the month is said after the day. */
  const monthFirst: Rule = (place) => {
    const month = monthAt(place, 0);
    const day = textAt(place, 1);
    if (month === undefined || !joins(place, 0) || tokenAt(place, 0)?.after.includes(",")) return undefined;
    if (!DAY.test(day)) return shortAlone(place, month);
    const year = joins(place, 1) && YEAR.test(textAt(place, 2)) ? textAt(place, 2) : undefined;
    const said = words.say(words.day(day.replace(/\D/g, "")), month, year === undefined ? undefined : words.year(year));
    return year === undefined ? [said, ""] : [said, "", ""];
  };

  /** "dic. 2024": a short name before a year. */
  const shortAlone = (place: Place, month: string): Reading | undefined =>
    words.shortMonths.has(textAt(place, 0).toLowerCase()) && YEAR.test(textAt(place, 1))
      ? [month, ...yearAt(place, 1)]
      : undefined;

  return [numeric, slashedName, withoutYear, dayFirst, monthFirst];
}

const joined = (joint: string, word: string): string => (joint === "" ? word : `${joint} ${word}`);
