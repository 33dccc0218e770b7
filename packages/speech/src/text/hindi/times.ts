import { joinedNext, type Rule, textAt } from "../rules/rule.ts";
import { belowHundred, quarters } from "./number-words.ts";

const CLOCK = /^([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d))?$/;

/** The time without "बजे" at the end of a full or quarter hour, and whether it takes it. */
function clock(hour: number, minute: number, second: number | undefined): [said: string, full: boolean] {
  if (second !== undefined) {
    const minutes = minute === 0 ? "" : ` ${belowHundred(minute)} मिनट`;
    return [`${belowHundred(hour)} बजकर${minutes} ${belowHundred(second)} सेकंड`, false];
  }
  if (minute === 0) return [belowHundred(hour), true];
  if (hour > 0 && (minute === 30 || minute === 15 || (minute === 45 && hour < 24))) {
    return [quarters(hour, minute === 30 ? 50 : minute === 15 ? 25 : 75), true];
  }
  return [`${belowHundred(hour)} बजकर ${belowHundred(minute)} मिनट`, false];
}

/** "14:30" of a date with its time. */
export function clockTime(text: string): string | undefined {
  const [, hour, minute] = CLOCK.exec(text) ?? [];
  if (hour === undefined || minute === undefined) return undefined;
  const [said, full] = clock(Number(hour), Number(minute), undefined);
  return full ? `${said} बजे` : said;
}

/** What Hindi says for "a.m." and "p.m.", by the hour. */
function partOfDay(half: string, hour: number): string {
  if (half === "a") return hour === 12 || hour < 4 ? "रात" : "सुबह";
  return hour === 12 || hour < 4 ? "दोपहर" : hour < 7 ? "शाम" : "रात";
}

/** "7:21", "8:00", "9:30 बजे", "10:45 AM". */
const time: Rule = (place) => {
  const text = textAt(place, 0);
  const next = joinedNext(place);
  const glued = /^(\d{1,2})(:\d{2})?([ap])\.?m$/i.exec(text);
  const half = (glued?.[3] ?? /^([ap])\.?m$/i.exec(next)?.[1] ?? "").toLowerCase();
  const written = glued === null ? text : `${glued[1]}${glued[2] ?? ":00"}`;
  const match = CLOCK.exec(half !== "" && /^\d{1,2}$/.test(written) ? `${written}:00` : written);
  if (match === null) return undefined;
  const hour = Number(match[1]);
  const [said, full] = clock(hour, Number(match[2]), match[3] === undefined ? undefined : Number(match[3]));
  const hours = full ? " बजे" : "";
  if (half !== "") {
    const whole = `${partOfDay(half, hour)} ${said}${hours}`;
    return glued === null ? [whole, ""] : [whole];
  }
  // The written "बजे" is said once, or not at all behind minutes.
  return next === "बजे" ? [said, full ? "बजे" : ""] : [said + hours];
};

export const TIME_RULES: readonly Rule[] = [time];
