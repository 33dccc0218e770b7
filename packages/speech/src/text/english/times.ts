import { belowHundred, cardinal } from "./number-words.ts";
import { joinedNext, joinedPrevious, type Rule, textAt, tokenAt } from "./rule.ts";
import { spell } from "./spelling.ts";

const MERIDIEM = /^([ap])\.?m$/i;
/** "p.m.EST": the zone without its space. */
const ZONED = /^([ap])\.?m\.?([ecmp][sd]t|gmt|utc|[ecmp]t)$/i;
const CLOCK = /^([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d))?$/;

/** "3:05" is "three oh five", "10:00" is "ten o'clock", "14:00" is "fourteen hundred". */
export function clock(text: string, half = ""): string | undefined {
  const match = CLOCK.exec(text);
  if (match === null) return undefined;
  const hour = Number(match[1]);
  const minute = Number(match[2]);
  if (match[3] !== undefined) {
    const parts = `${counted(minute, "minute")} and ${counted(Number(match[3]), "second")}`;
    return `${hour === 0 ? "" : `${counted(hour, "hour")}, `}${parts}${half === "" ? "" : ` ${half.toUpperCase()}.M`}`;
  }
  const said = belowHundred(hour);
  if (half !== "") return `${said}${minute === 0 ? "" : ` ${minuteWords(minute)}`} ${half.toUpperCase()}.M`;
  if (minute === 0) return hour === 0 ? "midnight" : hour > 12 ? `${said} hundred` : `${said} o'clock`;
  return `${said} ${minuteWords(minute)}`;
}

const counted = (n: number, unit: string): string => `${cardinal(String(n))} ${unit}${n === 1 ? "" : "s"}`;
const minuteWords = (minute: number): string => (minute < 10 ? `oh ${belowHundred(minute)}` : belowHundred(minute));

/** "3:45pm", "3pm", "3:45 p.m.", "10 AM", "15:30". */
const time: Rule = (place) => {
  const written = textAt(place, 0);
  const glued = /^(\d{1,2}(?:[:.]\d{2})?)\.?([ap])\.?m$/i.exec(written);
  if (glued !== null) return whole((glued[1] ?? "").replace(".", ":"), glued[2] ?? "");
  const zoned = ZONED.exec(joinedNext(place));
  const half = zoned ?? MERIDIEM.exec(joinedNext(place));
  // "1.59 p.m.".
  const text = half === null ? written : written.replace(/^(\d{1,2})\.([0-5]\d)$/, "$1:$2");
  if (!/^\d{1,2}(?::\d{2}){0,2}$/.test(text)) return undefined;
  if (half === null) {
    const said = clock(text);
    const oclock = joinedNext(place).toLowerCase() === "o'clock";
    return said === undefined ? undefined : [oclock ? said.replace(" o'clock", "") : said];
  }
  const said = whole(text, half[1] ?? "")?.[0];
  if (said === undefined) return undefined;
  const cut = said.lastIndexOf(" ");
  const zone = zoned === null ? "" : ` ${spell(zoned[2] ?? "")}`;
  return [said.slice(0, cut), said.slice(cut + 1) + zone];
};

function whole(text: string, half: string): [string] | undefined {
  if (text.includes(":")) {
    const said = clock(text, half);
    return said === undefined ? undefined : [said];
  }
  const hour = Number(text);
  return hour >= 1 && hour <= 12 ? [`${cardinal(text)} ${half.toUpperCase()}.M`] : undefined;
}

/** "0800 hours" is "oh eight hundred hours"; "2000 hours of work" are a number. */
const military: Rule = (place) => {
  const [, hour = "", minute = ""] = /^([01]\d|2[0-3])([0-5]\d)$/.exec(textAt(place, 0)) ?? [];
  if (hour === "" || !/^(?:hours|hrs)$/i.test(joinedNext(place)) || joinedNext(place, 1) === "of") return undefined;
  const isSmall = hour.startsWith("0");
  if (!isSmall && !/^(?:at|by|from|to|until|till)$/i.test(joinedPrevious(place))) return undefined;
  const hours = `${isSmall ? "oh " : ""}${belowHundred(Number(hour))}`;
  return [`${hours} ${minute === "00" ? "hundred" : minuteWords(Number(minute))}`];
};

const RANGE = /^(\d{1,2}(?::\d{2})?)(?:([ap])\.?m)?[-–](\d{1,2}(?::\d{2})?)(?:([ap])\.?m)?$/i;

/** "9-5pm", "9am–5pm", "10:00-11:30", "9–5 p.m.". */
const range: Rule = (place) => {
  const match = RANGE.exec(textAt(place, 0));
  if (match === null) return undefined;
  const [, from = "", fromHalf = "", to = "", toHalf = ""] = match;
  const split = toHalf === "" ? (MERIDIEM.exec(joinedNext(place))?.[1] ?? "") : "";
  if (fromHalf + toHalf + split === "" && !(from.includes(":") && to.includes(":"))) return undefined;
  const said = (text: string, half: string) => (half === "" ? (clock(text) ?? cardinal(text)) : whole(text, half)?.[0]);
  const first = said(from, fromHalf);
  const second = said(to, toHalf || split);
  if (first === undefined || second === undefined) return undefined;
  if (split === "") return [`${first} to ${second}`];
  const cut = second.lastIndexOf(" ");
  return [`${first} to ${second.slice(0, cut)}`, second.slice(cut + 1)];
};

/** "a.m." and "PM" after something else than digits: "at noon p.m.". */
const meridiem: Rule = (place) => {
  const match = MERIDIEM.exec(textAt(place, 0));
  if (match === null || /^(?:am|Am|pm|Pm)$/.test(textAt(place, 0))) return undefined;
  return [`${(match[1] ?? "").toUpperCase()}.M`];
};

/** "pst" after a time in small letters. */
const zone: Rule = (place) =>
  /^(?:[ecmp][sd]t|gmt|utc)$/.test(textAt(place, 0)) && /(?:[ap]\.?m|:\d{2})$/i.test(joinedOrDotted(place))
    ? [spell(textAt(place, 0))]
    : undefined;

/** The text before, if there is only space or the dot of "p.m." between. */
const joinedOrDotted = (place: Parameters<Rule>[0]): string =>
  /^\.?$/.test(tokenAt(place, -1)?.after ?? "!") ? textAt(place, -1) : "";

/** "a.m.–1" of "11 a.m.–1 p.m.". */
const meridiemRange: Rule = (place) => {
  const [, half = "", to = ""] = /^([ap])\.?m\.?[-–](\d{1,2}(?::[0-5]\d)?)$/i.exec(textAt(place, 0)) ?? [];
  if (half === "" || !/\d$/.test(joinedPrevious(place))) return undefined;
  return [`${half.toUpperCase()}.M to ${(clock(to) ?? cardinal(to)).replace(" o'clock", "")}`];
};

/** "GMT-05:00", "UTC+5:30". */
const offset: Rule = (place) => {
  const [, name = "", sign, hours = "", minutes] =
    /^(GMT|UTC)([-+−])(\d{1,2})(?::?([0-5]\d))?$/.exec(textAt(place, 0)) ?? [];
  if (name === "") return undefined;
  const rest = minutes === undefined || minutes === "00" ? "" : ` ${cardinal(minutes)}`;
  return [`${spell(name)} ${sign === "+" ? "plus" : "minus"} ${belowHundred(Number(hours))}${rest}`];
};

/** "2h15m", "5m30s", "1h 5m 30s": at least two parts. */
const duration: Rule = (place) => {
  const text = textAt(place, 0);
  const [, hours, minutes, seconds] = /^(?:(\d{1,3})h)?(?:(\d{1,3})m(?:in)?)?(?:(\d{1,3})s)?$/.exec(text) ?? [];
  const parts = [
    ...(hours === undefined ? [] : [counted(Number(hours), "hour")]),
    ...(minutes === undefined ? [] : [counted(Number(minutes), "minute")]),
    ...(seconds === undefined ? [] : [counted(Number(seconds), "second")]),
  ];
  const beside = /^\d{1,2}[hm]$/.test(joinedPrevious(place)) || /^\d{1,2}(?:m|s|min)$/.test(joinedNext(place));
  // "100m 20s" may be meters.
  const short = /^\d{1,2}[hms]/.test(text);
  return parts.length > 1 || (parts.length === 1 && beside && short) ? [parts.join(" ")] : undefined;
};

/** "16:9" and "3:1" are ratios. */
const ratio: Rule = (place) => {
  const [, first = "", second = ""] = /^(\d{1,3}):(\d{1,3})$/.exec(textAt(place, 0)) ?? [];
  if (first === "") return undefined;
  // "45:30" are minutes and seconds.
  if (/^[0-5]\d$/.test(first) && /^[0-5]\d$/.test(second)) {
    return [`${cardinal(first)} ${minuteWords(Number(second))}`];
  }
  return [`${cardinal(first)} to ${cardinal(second)}`];
};

export const TIME_RULES: readonly Rule[] = [
  military,
  range,
  duration,
  time,
  meridiemRange,
  meridiem,
  offset,
  zone,
  ratio,
];
