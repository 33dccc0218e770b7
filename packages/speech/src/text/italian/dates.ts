import type { ClockTime, DateWords, TimeWords } from "../rules/grammar.ts";
import { cardinal } from "./number-words.ts";

const MONTHS = "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre".split(
  " ",
);
const SHORT_MONTHS = new Map(
  "genn:1 gen:1 febbr:2 feb:2 mar:3 apr:4 magg:5 mag:5 giu:6 lugl:7 lug:7 ago:8 sett:9 set:9 ott:10 nov:11 dic:12"
    .split(" ")
    .map((entry): [string, number] => [entry.replace(/:.*/, ""), Number(entry.replace(/.*:/, ""))]),
);

const DATES: DateWords = {
  months: MONTHS,
  shortMonths: SHORT_MONTHS,
  joints: /^(?:di|del)$/,
  say: (date, month, year) => `${date} ${month}${year === undefined ? "" : ` ${year}`}`,
  day: (digits) => (Number(digits) === 1 ? "primo" : cardinal(digits)),
  year: (digits) => cardinal(digits),
  joint: "",
  range: "al",
  context: /^(?:il|dal|del|al|entro|lunedì|martedì|mercoledì|giovedì|venerdì|sabato|domenica)$/i,
};

const hours = (hour: number): string => (hour === 1 ? "una" : cardinal(String(hour)));

/** "7:05" is "sette e cinque", "14:00" "quattordici". */
function say({ hour, minute, second, half }: ClockTime): string {
  const ending =
    half === undefined ? "" : half === "am" ? " del mattino" : hour < 6 || hour === 12 ? " del pomeriggio" : " di sera";
  const minutes = minute === 0 && second === undefined ? "" : ` e ${cardinal(String(minute))}`;
  const seconds =
    second === undefined ? "" : ` e ${cardinal(String(second), "m")} ${second === 1 ? "secondo" : "secondi"}`;
  return hours(hour) + minutes + seconds + ending;
}

const TIMES: TimeWords = { say, hourSign: /^(?:h|ore)$/i, context: /^(?:ore|alle|dalle|le|h)$/i, range: "alle" };

export const DATE_GRAMMAR = { dates: DATES, times: TIMES };
