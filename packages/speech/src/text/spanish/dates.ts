import type { ClockTime, DateWords, TimeWords } from "../rules/grammar.ts";
import { cardinal } from "./number-words.ts";

const MONTHS = "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre".split(" ");
const SHORT = "ene feb mar abr may jun jul ago sep oct nov dic".split(" ");

/** "setiembre" is as good. "mar" and "may" are words, but not beside a day or a year. */
const shortMonths = new Map<string, number>([
  ...SHORT.map((name, index): [string, number] => [name, index + 1]),
  ["sept", 9],
  ["set", 9],
]);

const year = (digits: string): string => cardinal(digits);

export const dates: DateWords = {
  months: MONTHS,
  shortMonths,
  joints: /^(?:de|del)$/i,
  joint: "de",
  range: "al",
  day: (digits) => (Number(digits) === 1 ? "primero" : cardinal(digits)),
  year,
  say: (day, month, ended) => `${day} de ${month}${ended === undefined ? "" : ` de ${ended}`}`,
  context: /^(?:el|del|al|desde|hasta|día|fecha)$/i,
};

const hourWords = (hour: number): string => (hour === 1 ? "una" : cardinal(String(hour), "f"));

function minuteWords(minute: number): string {
  if (minute === 0) return "";
  if (minute === 15) return " y cuarto";
  return minute === 30 ? " y media" : ` y ${cardinal(String(minute))}`;
}

/** The part of the day that is said for "a.m." and "p.m.". */
function partOfDay(hour: number, half: "am" | "pm"): string {
  if (half === "am") return hour === 12 ? "de la noche" : "de la mañana";
  return hour >= 8 && hour < 12 ? "de la noche" : "de la tarde";
}

function say({ hour, minute, second, half, marked }: ClockTime): string | undefined {
  if (second !== undefined && second > 0) {
    const parts = [
      `${cardinal(String(hour), "f")} ${hour === 1 ? "hora" : "horas"}`,
      `${cardinal(String(minute), "m")} ${minute === 1 ? "minuto" : "minutos"}`,
    ];
    return `${parts.join(" ")} y ${cardinal(String(second), "m")} ${second === 1 ? "segundo" : "segundos"}`;
  }
  if (hour === 0 && minute === 0 && half === undefined) return "cero horas";
  const said = hourWords(hour) + minuteWords(minute);
  if (half !== undefined) return `${said} ${partOfDay(hour, half)}`;
  return marked && minute === 0 && hour > 12 ? `${said} horas` : said;
}

export const times: TimeWords = {
  say,
  hourSign: /^(?:h|hs|hrs|horas)$/,
  context: /^(?:las|la)$/i,
  range: "a",
};
