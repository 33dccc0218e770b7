import { following, isDay, isHour, isMinute, isMonth, preceding } from "../cjk/phrases.ts";
import { type Place, type Rule, textAt, tokenAt } from "../rules/rule.ts";
import { cardinal, digitByDigit } from "./number-words.ts";

const monthAndDay = (month: string, day: string): string => `${cardinal(month)}月${cardinal(day)}日`;

/** 2024-01-30, 24/1/30, 2024.1.30. A version (版本3.11.2) is no date. */
const dateRule: Rule = (place) => {
  const [, year = "", sign = "", month = "", day = ""] =
    /^(\d{4}|\d{2})([./-])(\d{1,2})\2(\d{1,2})$/.exec(textAt(place, 0)) ?? [];
  if (!isMonth(month) || !isDay(day)) return undefined;
  if (sign === "." && /[本版vV]$/.test(preceding(place, 2))) return undefined;
  return [`${digitByDigit(year)}年${monthAndDay(month, day)}`];
};

/** 2019·2·10 */
const dottedDateRule: Rule = (place) => {
  const [year, month, day] = [0, 1, 2].map((offset) => textAt(place, offset));
  const dotted = tokenAt(place, 0)?.after === "·" && tokenAt(place, 1)?.after === "·";
  if (!dotted || !/^\d{4}$/.test(year ?? "") || !isMonth(month ?? "") || !isDay(day ?? "")) return undefined;
  return [`${digitByDigit(year ?? "")}年`, `${cardinal(month ?? "")}月`, `${cardinal(day ?? "")}日`];
};

const ERA = /^(a\.?d|b\.?c)\.?$/i;

/** 2934AD, 1234 b.c. */
const eraRule: Rule = (place) => {
  const [, year = "", era = ""] = /^(\d{1,4})(a\.?d|b\.?c)\.?$/i.exec(textAt(place, 0)) ?? [];
  return year === "" ? undefined : [`${eraName(era)}${digitByDigit(year)}年`];
};

const eraName = (era: string): string => (/^b/i.test(era) ? "公元前" : "公元");

/** How many tokens after a year the era may stand: 年3月5日 BC. */
const ERA_DISTANCE = 6;

/** The era after a date is spoken before it. */
function eraAfter(place: Place): string {
  for (let offset = 1; offset <= ERA_DISTANCE; offset++) {
    if (tokenAt(place, offset)?.before !== "" && offset > 1) return "";
    const text = textAt(place, offset);
    if (ERA.test(text)) return eraName(text);
    if (!/^(?:\d{1,2}|[年月日号])$/.test(text)) return "";
  }
  return "";
}

/** The number before 年: a year digit by digit, or a count of years. */
const yearRule: Rule = (place) => {
  const digits = textAt(place, 0);
  if (!/^\d{1,4}$/.test(digits) || following(place, 1, 1) !== "年") return undefined;
  const era = eraAfter(place);
  if (era === "" && !namesYear(place, digits)) return undefined;
  return [era + digitByDigit(digits)];
};

/** The signs of a count: "…了50年", "近50年", "50年来". */
const COUNTED_AFTER = /^年(?:[前后後来來间間内內以多的]|时间|時間)/u;

function namesYear(place: Place, digits: string): boolean {
  if (/公元前?$/.test(preceding(place, 3))) return true;
  const after = following(place, 1, 3);
  const counted = COUNTED_AFTER.test(after);
  if (digits.length === 4) return !(counted && digits.endsWith("00"));
  if (digits.length !== 2) return false;
  if (digits.startsWith("0") || /^年(?:\d|代)/.test(after)) return true;
  return !counted && /(?:^|[在自从從于於到至])$/.test(preceding(place, 1));
}

const ERA_ALONE: Rule = (place) =>
  ERA.test(textAt(place, 0)) && /[年月日号]$/.test(preceding(place, 1)) ? [""] : undefined;

/** 10:30, 03:04:05, 10:04am. */
const timeRule: Rule = (place) => {
  const [, hour = "", minute = "", second, noon = ""] =
    /^(\d{1,2})[:：](\d{2})(?:[:：](\d{2}))?(am|pm)?$/i.exec(textAt(place, 0)) ?? [];
  if (!isHour(hour) || hour === "" || !isMinute(minute) || (second !== undefined && !isMinute(second)))
    return undefined;
  const full = second === undefined ? "" : `${cardinal(second)}秒`;
  const minutes = full === "" && Number(minute) === 0 ? "整" : `${cardinal(minute)}分`;
  return [`${cardinal(hour)}点${minutes}${full}${noon === "" ? "" : ` ${[...noon.toUpperCase()].join(".")}`}`];
};

/** 3:2, a score or a ratio. */
const ratioRule: Rule = (place) => {
  const [, left = "", right = ""] = /^(\d{1,4})[:：](\d{1,4})$/.exec(textAt(place, 0)) ?? [];
  return left === "" ? undefined : [`${cardinal(left)}比${cardinal(right)}`];
};

/** 08月, 08日: the zero is silent. */
const monthRule: Rule = (place) => {
  const digits = textAt(place, 0);
  return /^0?\d$|^[123]\d$/.test(digits) && /^[月日号號点點时時分秒]/u.test(following(place, 1, 1)) && digits !== "2"
    ? [cardinal(digits)]
    : undefined;
};

export const DATE_RULES: readonly Rule[] = [
  dateRule,
  dottedDateRule,
  eraRule,
  ERA_ALONE,
  yearRule,
  timeRule,
  ratioRule,
  monthRule,
];
