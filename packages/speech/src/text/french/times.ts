import type { ClockTime, TimeWords } from "../rules/grammar.ts";
import { joinedNext, type Rule, textAt } from "../rules/rule.ts";
import { cardinal } from "./number-words.ts";

const counted = (n: number, noun: string): string => `${cardinal(String(n), "f")} ${noun}${n > 1 ? "s" : ""}`;

/** "14:30" is "quatorze heures trente", "7h05" "sept heures cinq". */
function say({ hour, minute, second, half }: ClockTime): string {
  const ending =
    half === undefined ? "" : half === "am" ? " du matin" : hour < 6 || hour === 12 ? " de l'après-midi" : " du soir";
  const hours = counted(hour, "heure");
  if (second !== undefined) return `${hours} ${counted(minute, "minute")} et ${counted(second, "seconde")}${ending}`;
  return `${hours}${minute === 0 ? "" : ` ${cardinal(String(minute), "f")}`}${ending}`;
}

export const TIMES: TimeWords = { say, hourSign: /^h$/i, context: /(?!)/, range: "à" };

/** "14 h 30", "7 h 05 min": the sign of hours with spaces around it. */
const spaced: Rule = (place) => {
  const hour = textAt(place, 0);
  const minute = joinedNext(place, 1);
  if (!/^(?:[01]?\d|2[0-4])$/.test(hour) || !/^h$/i.test(joinedNext(place)) || !/^[0-5]\d$/.test(minute))
    return undefined;
  const named = /^(?:min|mn)$/.test(joinedNext(place, 2)) ? ["minutes"] : [];
  return [cardinal(hour, "f"), Number(hour) > 1 ? "heures" : "heure", cardinal(minute, "f"), ...named];
};

/** "24h/24", "7j/7". */
const always: Rule = (place) => {
  const [, first = "", unit, second = ""] = /^(\d{1,2}) ?([hj])\/(\d{1,2})$/i.exec(textAt(place, 0)) ?? [];
  if (first === "") return undefined;
  return [`${counted(Number(first), /h/i.test(unit ?? "") ? "heure" : "jour")} sur ${cardinal(second)}`];
};

export const TIME_RULES: readonly Rule[] = [spaced, always];
