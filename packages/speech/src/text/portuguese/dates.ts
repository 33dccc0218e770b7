import type { ClockTime, DateWords, TimeWords } from "../rules/grammar.ts";
import type { PortugueseNumbers } from "./number-words.ts";

const MONTHS = "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro".split(" ");
const SHORT = "jan fev mar abr mai jun jul ago set out nov dez".split(" ");

export const datesOf = ({ cardinal, region }: PortugueseNumbers): DateWords => ({
  months: MONTHS,
  shortMonths: new Map(SHORT.map((name, index): [string, number] => [name, index + 1])),
  joints: /^(?:de|do)$/i,
  joint: "de",
  range: "a",
  day: (digits) => (Number(digits) === 1 && region === "br" ? "primeiro" : cardinal(digits)),
  year: (digits) => cardinal(digits),
  say: (day, month, year) => `${day} de ${month}${year === undefined ? "" : ` de ${year}`}`,
  context: /^(?:dia|em|no|até|desde|data|de)$/i,
});

export const timesOf = ({ cardinal }: PortugueseNumbers): TimeWords => {
  const counted = (count: number, one: string, many: string, gender: "m" | "f"): string =>
    `${cardinal(String(count), gender)} ${count === 1 ? one : many}`;
  const say = ({ hour, minute, second, half }: ClockTime): string => {
    const hours = counted(hour, "hora", "horas", "f");
    const part = half === undefined ? "" : ` ${partOfDay(hour, half)}`;
    if (second !== undefined) {
      const minutes = counted(minute, "minuto", "minutos", "m");
      return `${hours} e ${minutes} e ${counted(second, "segundo", "segundos", "m")}${part}`;
    }
    return `${hours}${minute === 0 ? "" : ` e ${cardinal(String(minute))}`}${part}`;
  };
  return { say, hourSign: /^(?:h|hs|hrs|horas)$/, context: /^(?:às|as|das|até)$/i, range: "às" };
};

function partOfDay(hour: number, half: "am" | "pm"): string {
  if (half === "am") return hour === 12 ? "da noite" : "da manhã";
  return hour >= 7 && hour < 12 ? "da noite" : "da tarde";
}
