import type { DateWords } from "../rules/grammar.ts";
import { joinedNext, joinedPrevious, type Rule, table, textAt } from "../rules/rule.ts";
import { unitFinder } from "../rules/units.ts";
import { cardinal } from "./number-words.ts";
import { UNIT_WORDS } from "./units.ts";

const MONTHS = "janvier février mars avril mai juin juillet août septembre octobre novembre décembre".split(" ");
const SHORT = "janv:1 jan:1 févr:2 fév:2 fev:2 avr:4 juill:7 juil:7 aout:8 sept:9 oct:10 nov:11 déc:12 dec:12";
const SHORT_MONTHS = new Map(
  SHORT.split(" ").map((entry): [string, number] => [entry.replace(/:.*/, ""), Number(entry.replace(/.*:/, ""))]),
);
const NEVER = /(?!)/;

const day = (digits: string): string => (Number(digits) === 1 ? "premier" : cardinal(digits));

export const DATES: DateWords = {
  months: MONTHS,
  shortMonths: SHORT_MONTHS,
  joints: NEVER,
  say: (date, month, year) => `${date} ${month}${year === undefined ? "" : ` ${year}`}`,
  day,
  year: (digits) => cardinal(digits),
  joint: "",
  range: "au",
  context: /^(?:le|du|au|dès|avant|depuis|jusqu'au|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)$/i,
};

const isMonth = (text: string): boolean => MONTHS.includes(text.toLowerCase()) || SHORT_MONTHS.has(text.toLowerCase());
const isDay = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 31;

/** "les 17/18/19 mars": days one after the other. */
const severalDays: Rule = (place) => {
  const text = textAt(place, 0);
  if (!/^\d{1,2}(?:\/\d{1,2}){1,4}$|^\d{1,2}(?:-\d{1,2}){2,4}$/.test(text) || !isMonth(joinedNext(place)))
    return undefined;
  const days = text.split(/[-/]/);
  return days.every(isDay) ? [days.map(day).join(" ")] : undefined;
};

const find = unitFinder(UNIT_WORDS);

/** "17.06": a decimal would have a comma. */
const dotted: Rule = (place) => {
  const [, date = "", month = ""] = /^(\d{2})\.(0[1-9]|1[0-2])$/.exec(textAt(place, 0)) ?? [];
  const name = MONTHS[Number(month) - 1];
  const next = joinedNext(place);
  const counted =
    next !== "" && (find(next) !== undefined || /^(?:euros?|dollars?|millions?|milliards?|fois)$/.test(next));
  return name === undefined || !isDay(date) || counted ? undefined : [`${day(date)} ${name}`];
};

const DECADES = table(`
  50: fifties
  60: sixties
  70: seventies
  80: eighties
  90: nineties`);

/** "les 80s" are said in English, "les années 80" in French. */
const decades: Rule = (place) => {
  const [, digits = ""] = /^'?(\d0)'?s$/.exec(textAt(place, 0)) ?? [];
  const said = DECADES.get(digits);
  if (said === undefined) return undefined;
  return [/^années$/i.test(joinedPrevious(place)) ? cardinal(digits) : said];
};

export const DATE_RULES: readonly Rule[] = [severalDays, dotted, decades];
