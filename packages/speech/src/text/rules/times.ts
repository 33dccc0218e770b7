import type { ClockTime, NumberWords, TimeWords } from "./grammar.ts";
import { joinedNext, joinedPrevious, type Place, type Reading, type Rule, textAt, tokenAt } from "./rule.ts";
import { spellLetters } from "./spelling.ts";

/** "14:30" in words, for the time behind an ISO date. */
export type SayClock = (text: string) => string | undefined;

const CLOCK = /^([01]?\d|2[0-4]):([0-5]\d)(?::([0-5]\d))?$/;
const DOTTED = /^([01]?\d|2[0-4])\.([0-5]\d)$/;
const MARKED = /^([01]?\d|2[0-4])[hH]([0-5]\d)?(?:min|m)?$/;
const HALF = /^([ap])\.?\s?m$/i;

const clockTime = (match: readonly (string | undefined)[], marked: boolean): ClockTime => ({
  hour: Number(match[1]),
  minute: Number(match[2] ?? 0),
  second: match[3] === undefined ? undefined : Number(match[3]),
  half: undefined,
  marked,
});

export function sayClock(words: TimeWords): SayClock {
  return (text) => {
    const match = CLOCK.exec(text);
    return match === null ? undefined : words.say(clockTime(match, false));
  };
}

/** "a.m.", "p. m.": which half of the day is named from an offset on, and with how many tokens. */
function halfAt(place: Place, offset: number): { half: "am" | "pm"; count: number } | undefined {
  const one = HALF.exec(textAt(place, offset));
  if (one !== null) return { half: one[1]?.toLowerCase() === "a" ? "am" : "pm", count: 1 };
  const first = textAt(place, offset).toLowerCase();
  const apart = /^[ap]$/.test(first) && tokenAt(place, offset)?.after === "." && /^m$/i.test(textAt(place, offset + 1));
  return apart ? { half: first === "a" ? "am" : "pm", count: 2 } : undefined;
}

export function timeRules(words: TimeWords, numbers: NumberWords): Rule[] {
  /** "14:30", "14:30 h", "2:00 p. m.", "7h05", "13.30 h", "3 p.m.". */
  const time: Rule = (place) => {
    const text = textAt(place, 0);
    const next = joinedNext(place);
    const sign = words.hourSign.test(next) ? 1 : 0;
    const named = tokenAt(place, 0)?.after === "" ? halfAt(place, 1 + sign) : undefined;
    const glued = /^(\d{1,2}(?:[:.]\d{2})?)([ap])\.?m$/i.exec(text);
    const half = glued === null ? named?.half : glued[2]?.toLowerCase() === "a" ? "am" : "pm";
    const found = parse(glued?.[1] ?? text, place, sign === 1, half !== undefined);
    if (found === undefined) return undefined;
    const said = words.say({ ...found, half });
    if (said === undefined) return undefined;
    return [said, ...Array.from({ length: sign + (glued === null ? (named?.count ?? 0) : 0) }, () => "")];
  };

  const parse = (text: string, place: Place, signed: boolean, halved: boolean): ClockTime | undefined => {
    const clock = CLOCK.exec(text.replace(/[hH]$/, ""));
    if (clock !== null) return clockTime(clock, signed || /h$/i.test(text));
    const marked = MARKED.exec(text);
    if (marked !== null) return clockTime(marked, true);
    const dotted = DOTTED.exec(text);
    if (dotted !== null && (signed || halved || words.context.test(joinedPrevious(place))))
      return clockTime(dotted, signed);
    const hour = /^(?:0?[1-9]|1[0-2])$/.exec(text);
    return hour !== null && halved ? clockTime([text, text], false) : undefined;
  };

  /** "10:00-11:30", "9h–12h". */
  const range: Rule = (place): Reading | undefined => {
    const [first, second, more] = textAt(place, 0).split(/[-–]/);
    if (first === undefined || second === undefined || more !== undefined) return undefined;
    const ends = [first, second].map((text) => {
      const match = CLOCK.exec(text) ?? MARKED.exec(text);
      return match === null ? undefined : words.say(clockTime(match, MARKED.test(text)));
    });
    return ends.every((end) => end !== undefined) ? [ends.join(` ${words.range} `)] : undefined;
  };
  /** "GMT-3", "UTC+5:30". */
  const zone: Rule = (place) => {
    const [, name, sign, hour = "", minute] = /^(GMT|UTC)([-–+])(\d{1,2})(?::(\d{2}))?$/i.exec(textAt(place, 0)) ?? [];
    if (name === undefined) return undefined;
    const minutes = minute === undefined ? "" : ` ${numbers.cardinal(minute)}`;
    return [`${spellLetters(name)} ${sign === "+" ? numbers.plus : numbers.minus} ${numbers.cardinal(hour)}${minutes}`];
  };
  return [range, time, zone];
}
