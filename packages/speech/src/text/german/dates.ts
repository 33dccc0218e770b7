import type { ClockTime, DateWords, TimeWords } from "../rules/grammar.ts";
import { joinedNext, joinedPrevious, type Rule, textAt, tokenAt } from "../rules/rule.ts";
import { cardinal, ordinalStem, year } from "./number-words.ts";

const MONTHS = "Januar Februar März April Mai Juni Juli August September Oktober November Dezember".split(" ");
const SHORT_MONTHS = new Map(
  "jan:1 jän:1 feb:2 febr:2 mär:3 apr:4 jun:6 jul:7 aug:8 sep:9 sept:9 okt:10 nov:11 dez:12"
    .split(" ")
    .map((entry): [string, number] => [entry.replace(/:.*/, ""), Number(entry.replace(/.*:/, ""))]),
);

/** Words that ask for "-en" and for "-e": "am dritten", "der dritte"; without one it is "dritter". */
const OBLIQUE =
  /^(?:am|vom|zum|zur|dem|den|des|im|beim|ab|bis|seit|vor|nach|einem|einer|jedem|jeden|ihrem|seinem|meinem|und)$/i;
const DIRECT = /^(?:der|die|das|jede|ihre|seine|meine|unsere)$/i;

const ending = (previous: string): string => (DIRECT.test(previous) ? "e" : OBLIQUE.test(previous) ? "en" : "er");

const dayAfter = (digits: string, previous: string): string => ordinalStem(String(Number(digits))) + ending(previous);

const DATES: DateWords = {
  months: MONTHS,
  shortMonths: SHORT_MONTHS,
  joints: /(?!)/,
  say: (date, month, ended) => `${date} ${month}${ended === undefined ? "" : ` ${ended}`}`,
  day: (digits) => dayAfter(digits, ""),
  year,
  joint: "",
  range: "bis",
  context: /(?!)/,
};

function say({ hour, minute, second, half }: ClockTime): string {
  const part =
    half === undefined ? "" : half === "am" ? " morgens" : hour < 6 || hour === 12 ? " nachmittags" : " abends";
  const hours = `${cardinal(String(hour), "m")} Uhr`;
  if (second !== undefined) {
    const minutes = `${cardinal(String(minute), "f")} ${minute === 1 ? "Minute" : "Minuten"}`;
    return `${hours} ${minutes} ${cardinal(String(second), "f")} ${second === 1 ? "Sekunde" : "Sekunden"}${part}`;
  }
  return `${hours}${minute === 0 ? "" : ` ${cardinal(String(minute))}`}${part}`;
}

const TIMES: TimeWords = { say, hourSign: /^(?:Uhr|h)$/i, context: /(?!)/, range: "bis" };

const monthOf = (text: string): string | undefined =>
  MONTHS.find((name) => name.toLowerCase() === text.toLowerCase()) ??
  MONTHS[(SHORT_MONTHS.get(text.toLowerCase()) ?? 0) - 1];

/** "am 3. Mai 2024", "der 1. Jan.": the dot makes an ordinal that agrees with the word before. */
const dayAndMonth: Rule = (place) => {
  const text = textAt(place, 0);
  const month = monthOf(textAt(place, 1));
  if (!/^(?:0?[1-9]|[12]\d|3[01])$/.test(text) || tokenAt(place, 0)?.after !== "." || month === undefined)
    return undefined;
  const ended = textAt(place, 2);
  const dated = /^\.?$/.test(tokenAt(place, 1)?.after ?? "!") && /^(?:1\d|20)\d\d$/.test(ended);
  return [dayAfter(text, joinedPrevious(place)), month, ...(dated ? [year(ended)] : [])];
};

/** "02.03.2003", "am 24.12.": numbers with dots. */
const numeric: Rule = (place) => {
  const [, date = "", month = "", ended] = /^(\d{1,2})\.(\d{1,2})(?:\.(\d{4}|\d{2}))?$/.exec(textAt(place, 0)) ?? [];
  const name = MONTHS[Number(month) - 1];
  const whole = ended !== undefined || tokenAt(place, 0)?.after.startsWith(".");
  if (name === undefined || Number(date) < 1 || Number(date) > 31 || !whole) return undefined;
  const said = `${dayAfter(date, joinedPrevious(place))} ${name}`;
  return [ended === undefined ? said : `${said} ${year(ended)}`];
};

/** "der 3. Platz", "im 19. Jahrhundert". */
const ordinals: Rule = (place) => {
  const text = textAt(place, 0);
  const previous = joinedPrevious(place);
  const next = textAt(place, 1);
  if (!/^\d{1,4}$/.test(text) || tokenAt(place, 0)?.after !== "." || !/^\p{L}/u.test(next)) return undefined;
  // "in der 5. Reihe".
  const dative =
    previous === "der" && /^(?:in|an|auf|mit|von|aus|bei|seit|nach|zu|unter|vor)$/i.test(textAt(place, -2));
  if (dative) return [dayAfter(text, "dem")];
  return DIRECT.test(previous) || OBLIQUE.test(previous) ? [dayAfter(text, previous)] : undefined;
};

const BEFORE_YEAR =
  /^(?:Jahr|Jahre|Jahres|Jahren|seit|ab|bis|von|vor|nach|anno|Sommer|Winter|Herbst|Frühjahr|Frühling|Ende|Anfang|Mitte|um)$/i;

/** "im Jahr 1999", "1999 war": counted in hundreds. */
const years: Rule = (place) => {
  const text = textAt(place, 0);
  if (!/^1[1-9]\d\d$/.test(text)) return undefined;
  const previous = joinedPrevious(place);
  const dated = BEFORE_YEAR.test(previous) || monthOf(previous) !== undefined;
  const verb = /^(?:war|wurde|waren|wurden|hatte|kam|begann|starb|gab|ist)$/.test(joinedNext(place));
  return dated || verb ? [year(text)] : undefined;
};

export const DATE_GRAMMAR = { dates: DATES, times: TIMES };
export const DATE_RULES: readonly Rule[] = [dayAndMonth, numeric, ordinals, years];
