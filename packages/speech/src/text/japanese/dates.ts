import { following, isDay, isHour, isMinute, isMonth, preceding } from "../cjk/phrases.ts";
import { type Place, type Rule, textAt, tokenAt } from "../rules/rule.ts";
import { cardinal } from "./number-words.ts";

const monthAndDay = (month: string, day: string): string => `${cardinal(month)}月${cardinal(day)}日`;

/** 2024/01/30, 2024-1-30, 2024.1.30. */
const dateRule: Rule = (place) => {
  const [, year = "", , month = "", day = ""] = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})$/.exec(textAt(place, 0)) ?? [];
  return isMonth(month) && isDay(day) ? [`${cardinal(year)}年${monthAndDay(month, day)}`] : undefined;
};

/** 4/1 and 12/25 are dates, 1/2 is a fraction: the smaller number comes first in one. */
const shortDateRule: Rule = (place) => {
  const [, month = "", day = ""] = /^(\d{1,2})\/(\d{1,2})$/.exec(textAt(place, 0)) ?? [];
  const weekday = weekdayAt(place, 1) !== "";
  return isMonth(month) && isDay(day) && (weekday || Number(month) > Number(day))
    ? [monthAndDay(month, day)]
    : undefined;
};

const ERAS: Readonly<Record<string, string>> = { M: "明治", T: "大正", S: "昭和", H: "平成", R: "令和" };

/** R.4, H30.4.1, S60年. */
const eraRule: Rule = (place) => {
  const [, era = "", dot = "", year = "", month = "", day = ""] =
    /^([MTSHR])(\.?)(\d{1,2})(?:\.(\d{1,2})\.(\d{1,2}))?$/.exec(textAt(place, 0)) ?? [];
  const name = ERAS[era];
  if (name === undefined) return undefined;
  if (isMonth(month) && isDay(day)) return [`${name}${cardinal(year)}年${monthAndDay(month, day)}`];
  if (following(place, 1, 1) === "年") return [name + cardinal(year)];
  return dot === "" ? undefined : [`${name}${cardinal(year)}年`];
};

/** The day of the week in brackets at an offset: (土). */
function weekdayAt(place: Place, offset: number): string {
  const token = tokenAt(place, offset);
  const text = textAt(place, offset);
  const opened = token !== undefined && /[(（]$/.test(token.before);
  return opened && /^[月火水木金土日]$/u.test(text) && /^[)）〜～]|^$/u.test(token.after) ? text : "";
}

/** 25日(土), 12月19日〜23日(火〜土). */
const weekdayRule: Rule = (place) => {
  const token = tokenAt(place, 0);
  if (token === undefined || !/^[月火水木金土日]$/u.test(token.text)) return undefined;
  const dated = (offset: number): boolean => /^(?:日|.*\d)$/u.test(textAt(place, offset));
  const closed = /^[)）]/.test(token.after);
  if (weekdayAt(place, 0) !== "" && dated(-1) && (closed || /^[〜～・]$/u.test(textAt(place, 1))))
    return [`${token.text}曜日`];
  const ends = closed && /^[〜～]$/u.test(textAt(place, -1)) && /^[月火水木金土日]$/u.test(textAt(place, -2));
  return ends && /[(（]$/.test(tokenAt(place, -2)?.before ?? "") ? [`${token.text}曜日`] : undefined;
};

/** 10:30, 10:30:05, 10:30am. */
const timeRule: Rule = (place) => {
  const [, hour = "", minute = "", second, noon = ""] =
    /^(\d{1,2}):(\d{2})(?::(\d{2}))?(am|pm)?$/i.exec(textAt(place, 0)) ?? [];
  if (hour === "" || !isHour(hour) || !isMinute(minute) || (second !== undefined && !isMinute(second)))
    return undefined;
  const half = noon === "" ? "" : /^a/i.test(noon) ? "午前" : "午後";
  const minutes = Number(minute) === 0 && second === undefined ? "" : `${cardinal(minute)}分`;
  return [`${half}${cardinal(hour)}時${minutes}${second === undefined ? "" : `${cardinal(second)}秒`}`];
};

/** 3pm */
const hourRule: Rule = (place) => {
  const [, hour = "", noon = ""] = /^(\d{1,2})([ap])m$/i.exec(textAt(place, 0)) ?? [];
  return hour === "" ? undefined : [`${/a/i.test(noon) ? "午前" : "午後"}${cardinal(hour)}時`];
};

/** 3:2, a score or a ratio. */
const ratioRule: Rule = (place) => {
  const [, left = "", right = ""] = /^(\d{1,4}):(\d{1,4})$/.exec(textAt(place, 0)) ?? [];
  return left === "" ? undefined : [`${cardinal(left)}対${cardinal(right)}`];
};

/** 二〇二四年: a year in digits of the script. */
const writtenYearRule: Rule = (place) => {
  const digits = /^[〇一二三四五六七八九]{4}(?=年)/u.exec(following(place, 0, 5))?.[0];
  if (digits === undefined || /[〇一二三四五六七八九十百千]$/u.test(preceding(place, 1))) return undefined;
  const year = [...digits].map((digit) => "〇一二三四五六七八九".indexOf(digit)).join("");
  return [cardinal(year), "", "", ""];
};

export const DATE_RULES: readonly Rule[] = [
  dateRule,
  shortDateRule,
  eraRule,
  weekdayRule,
  timeRule,
  hourRule,
  ratioRule,
  writtenYearRule,
];
