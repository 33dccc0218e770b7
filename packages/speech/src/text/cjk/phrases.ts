import { type Place, textAt, tokenAt } from "../rules/rule.ts";

/** The characters from an offset on, as far as nothing separates them: "年3月". */
export function following(place: Place, offset: number, count: number): string {
  let text = "";
  for (let next = offset; next < offset + count; next++) {
    if (next > 0 && !adjoins(place, next)) break;
    text += textAt(place, next);
  }
  return text;
}

/** Whether nothing separates the token at an offset from the one before it. */
function adjoins(place: Place, offset: number): boolean {
  const token = tokenAt(place, offset);
  const previous = tokenAt(place, offset - 1);
  return token !== undefined && previous !== undefined && previous.after === "" && token.before === "";
}

/** The characters right before the token. */
export function preceding(place: Place, count: number): string {
  let text = "";
  for (let offset = 0; offset > -count && adjoins(place, offset); offset--) text = textAt(place, offset - 1) + text;
  return text;
}

/** A table of "sign name" pairs. */
export function pairs(list: string): ReadonlyMap<string, string> {
  const words = list.trim().split(/\s+/);
  return new Map(
    words.flatMap((word, index): [string, string][] => (index % 2 === 0 ? [[word, words[index + 1] ?? ""]] : [])),
  );
}

export const isMonth = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 12;
export const isDay = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= 31;
export const isHour = (digits: string): boolean => Number(digits) <= 29;
export const isMinute = (digits: string): boolean => digits.length === 2 && Number(digits) < 60;

/** The dash of a range: "3〜5", "3~5", "3-5". */
export const WAVE = /^[〜～~]$/u;
