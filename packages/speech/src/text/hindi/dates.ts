import { joinedNext, joinedPrevious, type Rule, textAt, tokenAt, wordSet } from "../rules/rule.ts";
import { cardinal, year } from "./number-words.ts";
import { clockTime } from "./times.ts";

const MONTHS = "जनवरी फ़रवरी मार्च अप्रैल मई जून जुलाई अगस्त सितंबर अक्टूबर नवंबर दिसंबर".split(" ");
const MONTH_NAMES = wordSet(`${MONTHS.join(" ")} फरवरी सितम्बर अक्तूबर नवम्बर दिसम्बर`);

const day = (digits: string): string => cardinal(digits);
const isDay = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 31;
const monthOf = (digits: string): string | undefined => MONTHS[Number(digits) - 1];

/** "25 मार्च"; where only the second number can be a day, the month is first: "फ़रवरी सत्ताईस". */
function dayAndMonth(first: string, second: string): string | undefined {
  const month = monthOf(second);
  if (month !== undefined && isDay(first)) return `${day(first)} ${month}`;
  const leading = monthOf(first);
  return leading !== undefined && isDay(second) ? `${leading} ${day(second)}` : undefined;
}

/** "25-03-2020", "25/3/2020", "2020-03-25", "03-2020", "06-05". */
const numeric: Rule = (place) => {
  const text = textAt(place, 0);
  const full = /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})$/.exec(text);
  if (full !== null) {
    const said = dayAndMonth(full[1] ?? "", full[3] ?? "");
    return said === undefined ? undefined : [`${said} ${year(full[4] ?? "")}`];
  }
  const iso =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:T(\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/.exec(text);
  if (iso !== null) {
    const [, ended = "", month = "", date = "", time] = iso;
    const name = monthOf(month);
    const clock = time === undefined ? undefined : clockTime(time);
    if (name === undefined || !isDay(date)) return undefined;
    return [`${day(date)} ${name} ${year(ended)}${clock === undefined ? "" : `, ${clock}`}`];
  }
  const monthAndYear = /^(\d{2})[-/]([12]\d{3})$/.exec(text);
  if (monthAndYear !== null) {
    const name = monthOf(monthAndYear[1] ?? "");
    return name === undefined ? undefined : [`${name} ${year(monthAndYear[2] ?? "")}`];
  }
  // A zero at the start of either number makes it a date and no range.
  const short = /^(\d{2})-(\d{2})$/.exec(text);
  if (short === null || !/^0|-0/.test(text)) return undefined;
  const said = dayAndMonth(short[1] ?? "", short[2] ?? "");
  return said === undefined ? undefined : [said];
};

/** "297-272 ई. पू.", "1947 ई.": years by the era after them. */
const era: Rule = (place) => {
  const match = /^(\d{1,4})(?:[-–](\d{1,4}))?$/.exec(textAt(place, 0));
  if (match === null || joinedNext(place) !== "ई") return undefined;
  const [, first = "", second] = match;
  const said = second === undefined ? year(first) : `${year(first)} से ${year(second)}`;
  const dotted = /^\.$/.test(tokenAt(place, 1)?.after ?? "");
  if (/^\.?$/.test(tokenAt(place, 1)?.after ?? "!") && textAt(place, 2) === "पू") return [said, "ईसा", "पूर्व"];
  return dotted || second === undefined ? [said, "ईस्वी"] : undefined;
};

const BEFORE_YEAR = wordSet("सन सन् साल वर्ष संवत ईस्वी वर्षों");
/** Words behind a year. A quantity before them sounds as natural in hundreds: "1500 से अधिक". */
const AFTER_YEAR = wordSet("में की के का से को तक ईस्वी वाले वाली वाला");
const HUNDREDS = /^1[1-9]\d\d$/;

/** "सन 1999", "1999 में", "15 अगस्त 1947", "1857-58", "1939-1945". */
const years: Rule = (place) => {
  const text = textAt(place, 0);
  const previous = joinedPrevious(place);
  const range = /^(1[1-9]\d\d|20\d\d)[-–](\d{4}|\d{2})$/.exec(text);
  if (range !== null) {
    const [, first = "", second = ""] = range;
    if (second.length === 4 && Number(second) <= Number(first)) return undefined;
    return [`${year(first)} से ${year(second)}`];
  }
  if (!HUNDREDS.test(text)) return undefined;
  const dated = BEFORE_YEAR.has(previous) || MONTH_NAMES.has(textAt(place, -1));
  return dated || AFTER_YEAR.has(joinedNext(place)) ? [year(text)] : undefined;
};

export const DATE_RULES: readonly Rule[] = [era, numeric, years];
