import { cardinal, decade, digitByDigit, ordinal, year } from "./number-words.ts";
import { joinedNext, joinedPrevious, type Place, type Reading, type Rule, table, textAt, tokenAt } from "./rule.ts";
import { clock } from "./times.ts";

export const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** Month names and how they are cut short; "May" has no short form, and lower-case "may" and "march" are verbs. */
const MONTH_NAMES = table(`
  Jan: January
  Feb: February
  Mar: March
  Apr: April
  Jun: June
  Jul: July
  Aug: August
  Sep: September
  Sept: September
  Oct: October
  Nov: November
  Dec: December`);

const WEEKDAYS = table(`
  Mon: Monday
  Tue: Tuesday
  Tues: Tuesday
  Wed: Wednesday
  Thu: Thursday
  Thur: Thursday
  Thurs: Thursday
  Fri: Friday
  Sat: Saturday
  Sun: Sunday`);

/** The month that a token names. "MARCH" and "july" count, "may" does not. */
function monthOf(text: string): string | undefined {
  if (/^(?:may|march|mar)$/.test(text)) return undefined;
  const name = text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
  return MONTHS.includes(name) ? name : MONTH_NAMES.get(name);
}

const VERB_MONTHS = table(`
  mar: March
  march: March
  may: May`);
const ORDINAL_DAY = /^\d{1,2}(?:st|nd|rd|th)$/i;

/** "march 3rd", "may 5, 2021" and "on may 5.": certainly no verbs. */
const verbMonth = (place: Place): string | undefined => {
  const name = VERB_MONTHS.get(textAt(place, 0));
  if (name === undefined || !DAY.test(textAt(place, 1))) return undefined;
  const ends = tokenAt(place, 1)?.after !== "" || tokenAt(place, 2) === undefined;
  return ends || ORDINAL_DAY.test(textAt(place, 1)) || yearAt(place, 2) !== undefined ? name : undefined;
};

/** "1st may", "the 2nd of march" and "3 march 2005". */
const verbMonthAfterDay = (place: Place, offset: number): string | undefined =>
  ORDINAL_DAY.test(textAt(place, 0)) || yearAt(place, offset + 1) !== undefined
    ? VERB_MONTHS.get(textAt(place, offset))
    : undefined;

const isShortMonth = (text: string): boolean =>
  MONTH_NAMES.has(text.charAt(0).toUpperCase() + text.slice(1).toLowerCase());
const DAY = /^(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?$/i;
const DAY_RANGE = /^(0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?[-–](0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?$/i;
const YEAR = /^(?:1\d{3}|20\d{2})$/;

const day = (text: string): string => ordinal(text.replace(/\D/g, ""));

/** The next token may belong to a date if there is only a comma, the dot of an abbreviation or nothing between. */
const dateJoin = (place: Place, offset: number): boolean => /^[.,]?,?$/.test(tokenAt(place, offset)?.after ?? "!");

function yearAt(place: Place, offset: number): string | undefined {
  if (!dateJoin(place, offset - 1)) return undefined;
  const text = textAt(place, offset);
  if (YEAR.test(text)) return year(text, place.style);
  return /^'\d\d$/.test(text) ? shortYear(text.slice(1)) : undefined;
}

const shortYear = (digits: string): string =>
  digits.startsWith("0") ? `oh ${cardinal(digits.slice(1))}` : cardinal(digits);

/** "March 3, 2021", "Jan. 5", "May 3–5", "Dec '99", "March 2021". */
const monthFirst: Rule = (place) => {
  const text = textAt(place, 0);
  const month = monthOf(text) ?? verbMonth(place);
  if (month === undefined || !/^\.?$/.test(tokenAt(place, 0)?.after ?? "!")) return undefined;
  const second = textAt(place, 1);
  const range = DAY_RANGE.exec(second);
  if (range !== null || DAY.test(second)) {
    const days = range === null ? day(second) : `${day(range[1] ?? "")} to ${day(range[2] ?? "")}`;
    const ended = yearAt(place, 2);
    return ended === undefined ? [month, days] : [month, days, ended];
  }
  const ended = yearAt(place, 1);
  if (ended !== undefined) return [month, ended];
  return isShortMonth(text) && tokenAt(place, 0)?.after === "." && text !== "Mar" ? [month] : undefined;
};

/** "3 March 2021", "the 3rd of March", "5-7 June". */
const dayFirst: Rule = (place) => {
  const text = textAt(place, 0);
  const range = DAY_RANGE.exec(text);
  if ((range === null && !DAY.test(text)) || tokenAt(place, 0)?.after !== "") return undefined;
  const of = textAt(place, 1) === "of" && tokenAt(place, 1)?.after === "" ? 1 : 0;
  const month = monthOf(textAt(place, 1 + of)) ?? verbMonthAfterDay(place, 1 + of);
  if (month === undefined || (of === 1 && range === null && /^\d+$/.test(text))) return undefined;
  const days = range === null ? day(text) : `${day(range[1] ?? "")} to ${day(range[2] ?? "")}`;
  const joint = of === 1 ? ["of", month] : [`of ${month}`];
  const led = /^(?:the|this|that|last|next|every|each|until|since|my|our|your|his|her)$/i.test(joinedPrevious(place));
  const the = led || (of === 1 && /\D$/.test(text)) ? days : `the ${days}`;
  const ended = yearAt(place, 2 + of);
  return [the, ...joint, ...(ended === undefined ? [] : [ended])];
};

const numericYear = (digits: string, place: Place): string =>
  digits.length === 4
    ? year(digits, place.style)
    : digits.startsWith("0")
      ? `two thousand ${cardinal(digits)}`
      : shortYear(digits);

function spoken(
  place: Place,
  monthDigits: string,
  dayDigits: string,
  yearDigits: string,
  dayLeads = false,
): string | undefined {
  const month = MONTHS[Number(monthDigits) - 1];
  if (month === undefined || !DAY.test(dayDigits)) return undefined;
  const ended = yearDigits === "" ? "" : `, ${numericYear(yearDigits, place)}`;
  return place.style.british || dayLeads
    ? `the ${day(dayDigits)} of ${month}${ended}`
    : `${month} ${day(dayDigits)}${ended}`;
}

/** "2021-03-04", with a time behind it too, "3/4/2021", "4.3.2021", "3-4-21". */
const numeric: Rule = (place) => {
  const text = textAt(place, 0);
  const iso = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?:T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(
    text,
  );
  if (iso !== null) {
    const date = spoken(place, iso[3] ?? "", iso[4] ?? "", iso[1] ?? "");
    const time = iso[5] === undefined ? "" : `, ${clock(iso[5]) ?? ""}${iso[6] === "Z" ? " U.T.C" : ""}`;
    return date === undefined ? undefined : [date + time];
  }
  const parts = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text);
  if (parts === null) return undefined;
  const [, first = "", separator, second = "", ended = ""] = parts;
  if (separator !== "/" && ended.length === 2) return undefined;
  const dayLeads = Number(first) > 12 || (place.style.british && Number(second) <= 12);
  const date = dayLeads ? spoken(place, second, first, ended, separator === ".") : spoken(place, first, second, ended);
  return date === undefined ? undefined : [date];
};

/** "Jan-15", "15-Jan", "15-Jan-2020", "Jan-2020". */
const hyphenMonth: Rule = (place) => {
  const parts = textAt(place, 0).split(/[-–]/);
  const at = parts.findIndex((part) => monthOf(part) !== undefined);
  const month = monthOf(parts[at] ?? "");
  if (month === undefined || parts.length < 2 || parts.length > 3 || at > 1) return undefined;
  const [first = "", second] = parts.filter((_, index) => index !== at);
  const ended = second ?? (YEAR.test(first) ? first : undefined);
  if (ended !== undefined && !/^(?:\d{2}|1\d{3}|20\d{2})$/.test(ended)) return undefined;
  const said = ended === undefined ? "" : `, ${numericYear(ended, place)}`;
  if (second === undefined && ended !== undefined) return [`${month} ${year(first, place.style)}`];
  return DAY.test(first) ? [`${month} ${day(first)}${said}`] : undefined;
};

/** "12/25" with no year: a date where a date is expected, or where it would be an odd fraction. */
const monthAndDay: Rule = (place) => {
  const match = /^(0?[1-9]|1[0-2])\/(0?[1-9]|[12]\d|3[01])$/.exec(textAt(place, 0));
  if (match === null) return undefined;
  const [, month = "", date = ""] = match;
  const expected =
    joinedNext(place) !== "of" &&
    /^(?:on|by|from|until|till|before|after|since|due|dated)$/i.test(joinedPrevious(place));
  const lone = tokenAt(place, -1) === undefined && tokenAt(place, 1) === undefined && Number(date) <= 12;
  const part = month === "1" || joinedNext(place) === "of" || lone || /^(?:[2-9]|10|12|16)$/.test(date);
  if (!expected && (part || Number(month) >= Number(date))) return undefined;
  const said = spoken(place, month, date, "");
  return said === undefined ? undefined : [said];
};

/** "Exp. 12/25", "expiry date: 03/26" and "valid thru 09/27": a month and a year, as cards have them. */
const expiry: Rule = (place) => {
  const [, month = "", ended = ""] = /^(0[1-9]|1[0-2])\/(\d\d)$/.exec(textAt(place, 0)) ?? [];
  const before = textAt(place, -1).toLowerCase() === "date" ? -2 : -1;
  const [word, wordBefore] = [textAt(place, before), textAt(place, before - 1)].map((text) => text.toLowerCase());
  const expires = /^(?:exp|expiry|expiration)$/.test(word ?? "");
  if (month === "" || !(expires || (wordBefore === "valid" && /^(?:thru|through)$/.test(word ?? "")))) return undefined;
  return [`${MONTHS[Number(month) - 1]} ${year(`20${ended}`, place.style)}`];
};

/** "Mon-Fri" is "Monday to Friday". */
function weekdayRange(text: string): readonly string[] | undefined {
  const ends = text.split(/[-–]/).map((part) => WEEKDAYS.get(part));
  return ends.length === 2 && ends.every((end) => end !== undefined) ? [ends.join(" to ")] : undefined;
}

/** "Mon.", "Tues.," and "Fri" before a date. */
const weekday: Rule = (place) => {
  const text = textAt(place, 0);
  const after = tokenAt(place, 0)?.after ?? "";
  // "mon, jan 5" and "mon, 5 jan" in small letters only before a date.
  const dayAndMonth = DAY.test(textAt(place, 1)) && monthOf(joinedNext(place, 1)) !== undefined;
  const small =
    /^[a-z]/.test(text) && (dayAndMonth || monthOf(textAt(place, 1)) !== undefined) && /^[.,]+$/.test(after);
  const name = WEEKDAYS.get(small ? text.charAt(0).toUpperCase() + text.slice(1) : text);
  if (name === undefined) return weekdayRange(text);
  const dated = /^[.,]*$/.test(after) && (monthOf(textAt(place, 1)) !== undefined || /^\d/.test(textAt(place, 1)));
  const dotted =
    after.startsWith(".") && tokenAt(place, 1) !== undefined && !/^(?:Sat|Sun|Wed)$/.test(textAt(place, 0));
  return dated || dotted ? [name] : undefined;
};

/** "1960s-1980s". */
const decadeRange: Rule = (place) => {
  const [, first = "", second = ""] = /^(\d{2}|\d{3}0)s[-–](\d{2}|\d{3}0)s$/.exec(textAt(place, 0)) ?? [];
  return first === "" ? undefined : [`${decade(first)} to ${decade(second)}`];
};

/** "1990s", "'90s", "90s", "1800's", "mid-" is split off before. */
const decades: Rule = (place) => {
  const match = /^'?(\d{2}|\d{4})'?s$/.exec(textAt(place, 0));
  const digits = match?.[1] ?? "";
  // "5m 30s" is a time.
  if (match === null || !digits.endsWith("0") || /^\d{1,2}m(?:in)?$/.test(joinedPrevious(place))) return undefined;
  return [digits === "00" ? "two thousands" : decade(digits)];
};

const shortYears: Rule = (place) => {
  const match = /^'(\d{2})$/.exec(textAt(place, 0));
  return match === null ? undefined : [shortYear(match[1] ?? "")];
};

const ERAS = /^(?:AD|BC|BCE|CE|A\.D|B\.C|B\.C\.E|C\.E)$/;
const YEAR_CONTEXT =
  /^(?:in|since|by|from|until|till|of|during|before|after|circa|ca|year|late|early|mid|summer|winter|spring|autumn|fall|around|to|through|between|and|class|january|february|march|april|may|june|july|august|september|october|november|december)$/i;
/** Words in -s that do not make the number before them a count: "1984 was", "in 2020 this". */
const NOT_COUNTED =
  /^(?:results|elections|olympics|games|finals|playoffs|awards|midterms|earnings|protests|riots|models|sales|is|was|has|as|this|its|his|us|vs|does|says|plus|versus|perhaps|always|across|towards|afterwards)$/i;

/** Four digits are a year unless they count something: "in 1984", "the 2024 election"; yet "1500 meters", "2048 bytes". */
const years: Rule = (place) => {
  const text = textAt(place, 0);
  if (/^(?:[1-9]\d{0,3})$/.test(text) && ERAS.test(joinedNext(place))) return [year(text, place.style)];
  const range = /^(1[1-9]\d{2}|20\d{2})[-–](\d{2}|1[1-9]\d{2}|20\d{2})$/.exec(text);
  if (range !== null) {
    const [, first = "", second = ""] = range;
    if (second.length === 4 ? second > first : Number(second) > Number(first.slice(2)) || second.length === 2) {
      return [`${year(first, place.style)} to ${second.length === 4 ? year(second, place.style) : shortYear(second)}`];
    }
  }
  const season = /^(1[5-9]\d{2}|20\d{2})\/(\d{2})$/.exec(text);
  if (season !== null) return [`${year(season[1] ?? "", place.style)} ${shortYear(season[2] ?? "")}`];
  if (/^(?:10|21)\d{2}$/.test(text) && /^(?:in|year|since|by|until|around|circa|AD)$/i.test(joinedPrevious(place))) {
    return [year(text, place.style)];
  }
  if (!/^(?:1[1-9]\d{2}|20\d{2})$/.test(text)) return undefined;
  const next = joinedNext(place);
  const counted = /^[a-z]+s$/.test(next) && !NOT_COUNTED.test(next);
  if (
    (counted && !YEAR_CONTEXT.test(joinedPrevious(place))) ||
    /^(?:people|men|women|children|times|percent|million|billion|dollars|of|x|×|\*|\+|=|%)$/.test(next)
  )
    return undefined;
  return [year(text, place.style)];
};

/** "9/11" and "24/7" are names by now. */
const NAMED = table(`
  9/11: nine eleven
  7/7: seven seven
  24/7: twenty-four seven
  50/50: fifty fifty
  50-50: fifty fifty
  20-20: twenty twenty
  20/20: twenty twenty`);
const named: Rule = (place): Reading | undefined => {
  const name = NAMED.get(textAt(place, 0));
  return name === undefined ? undefined : [name];
};

/** A zip code after its state: "CA 90210". */
const zipCode: Rule = (place) => {
  const text = textAt(place, 0);
  const match = /^(\d{5})(?:-(\d{4}))?$/.exec(text);
  if (match === null || !/^[A-Z]{2}$/.test(textAt(place, -1)) || !/^,?\.?$/.test(tokenAt(place, -1)?.after ?? "!"))
    return undefined;
  return [digitByDigit(match[1] ?? "") + (match[2] === undefined ? "" : `, ${digitByDigit(match[2])}`)];
};

export const DATE_RULES: readonly Rule[] = [
  named,
  monthFirst,
  dayFirst,
  numeric,
  hyphenMonth,
  expiry,
  monthAndDay,
  weekday,
  decadeRange,
  decades,
  shortYears,
  zipCode,
];
/** After the rules of units, which take numbers that count. */
export const YEAR_RULES: readonly Rule[] = [years];
