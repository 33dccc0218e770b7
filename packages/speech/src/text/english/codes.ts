import { cardinal, digitByDigit, toPlural, year } from "./number-words.ts";
import { joinedNext, joinedPrevious, type Rule, textAt, tokenAt } from "./rule.ts";
import { houseNumber } from "./streets.ts";

const CODE_WORDS = /^(?:code|pin|otp|password|passcode|zip|account|card|id)$/i;

/** "the card ending in 8876", "code 1234": digit by digit. */
const code: Rule = (place) => {
  const text = textAt(place, 0);
  if (!/^\d{3,12}$/.test(text)) return undefined;
  const previous = joinedPrevious(place);
  const ending = /^(?:in|with)$/i.test(previous) && /^end(?:s|ed|ing)?$/i.test(textAt(place, -2));
  const stated = /^(?:is|was|:)$/i.test(previous) && CODE_WORDS.test(textAt(place, -2));
  const labeled = tokenAt(place, -1)?.after === ":" && CODE_WORDS.test(textAt(place, -1));
  return ending || stated || labeled || CODE_WORDS.test(previous) ? [digitByDigit(text)] : undefined;
};

/** "ISBN 978-3-16-148410-0". */
const registered: Rule = (place) => {
  const text = textAt(place, 0);
  const named = /^(?:ISBN|ISSN|SSN|EIN|EAN|VIN|IMEI)$/.test(textAt(place, -1));
  if (!named || !/^(?=(?:\d-?){8})[\d-]{8,20}$/.test(text)) return undefined;
  return [text.split("-").map(digitByDigit).join(", ")];
};

/** "ab9453": small letters and four digits that are no year. */
const serial: Rule = (place) => {
  const [, letters = "", digits = ""] = /^(\p{Ll}{1,4})(\d{4})$/u.exec(textAt(place, 0)) ?? [];
  return letters === "" || /^(?:19|20)/.test(digits) ? undefined : [`${spelled(letters)} ${digitByDigit(digits)}`];
};

const spelled = (letters: string): string => [...letters.toUpperCase()].join(".");

const EMERGENCY = /^(?:911|112|999|988|311|411)$/;
const CALLING = /^(?:call|calls|called|calling|dial|dialed|dialing|text|phone|ring)$/i;

/** "911", and the others after "call"; yet "911 people". */
const emergency: Rule = (place) => {
  const text = textAt(place, 0);
  if (!EMERGENCY.test(text) || /^(?:\p{Ll}+s|people|men|women|children)$/u.test(joinedNext(place))) return undefined;
  if (joinedPrevious(place) === "Porsche") return ["nine eleven"];
  return text === "911" || CALLING.test(joinedPrevious(place)) ? [digitByDigit(text)] : undefined;
};

/** "401(k)", "501(c)(3)". The closing bracket is punctuation by now. */
const plan: Rule = (place) => {
  const [, digits = "", letter = "", part] = /^(\d{3})\(([a-z])\)?(?:\((\d)\)?)?$/.exec(textAt(place, 0)) ?? [];
  if (digits === "") return undefined;
  return [`${houseNumber(digits)} ${letter.toUpperCase()}${part === undefined ? "" : ` ${cardinal(part)}`}`];
};

const DURATION = /^(?:took|takes|take|for|in|after|within|every|of|under|about|over|than|to|by|at|was|is|only|=)$/i;

/** "737s" are aircraft, "took 455s" is a time. */
const models: Rule = (place) => {
  const [, digits = ""] = /^([1-9]\d[1-9])s$/.exec(textAt(place, 0)) ?? [];
  return digits === "" || DURATION.test(joinedPrevious(place)) ? undefined : [toPlural(houseNumber(digits))];
};

const LABELS =
  /^(?:flat|room|gate|apt|apartment|unit|seat|building|block|row|exhibit|section|figure|page|line|suite|terminal|platform|class|grade|stage|studio|at|in)$/i;

/** "flat 4B", "gate 12B": a letter and not a billion, unless it counts something: "7B parameters". */
const labeled: Rule = (place) => {
  const [, digits = "", letter = ""] = /^(\d{1,4})([A-Z])$/.exec(textAt(place, 0)) ?? [];
  if (!/[BTM]/.test(letter)) return undefined;
  const counts = /^\p{Ll}{4,}/u.test(joinedNext(place)) || !/B/.test(letter);
  return LABELS.test(joinedPrevious(place)) || !counts ? [`${cardinal(digits)} ${letter}`] : undefined;
};

/** "12's". */
const possessive: Rule = (place) => {
  const [, digits = ""] = /^(\d{1,9})'s$/.exec(textAt(place, 0)) ?? [];
  return digits === "" || /^\d(?:\d\d)?0$/.test(digits)
    ? undefined
    : [`${/^(?:1[1-9]|20)\d\d$/.test(digits) ? year(digits) : cardinal(digits)}'s`];
};

/** "1th", "12nd": the ending of another number. */
const wrongOrdinal: Rule = (place) => {
  const [, digits = "", ending = ""] = /^(\d{1,9})(st|nd|rd|th)$/i.exec(textAt(place, 0)) ?? [];
  if (digits === "") return undefined;
  const teen = /1\d$/.test(digits);
  const right = teen ? "th" : ({ 1: "st", 2: "nd", 3: "rd" }[Number(digits.at(-1))] ?? "th");
  return right === ending.toLowerCase() ? undefined : [`${cardinal(digits)} ${spelled(ending)}`];
};

export const CODE_RULES: readonly Rule[] = [
  code,
  registered,
  serial,
  emergency,
  plan,
  models,
  labeled,
  possessive,
  wrongOrdinal,
];
