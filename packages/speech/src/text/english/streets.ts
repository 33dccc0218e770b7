import { belowHundred, digitByDigit, year } from "./number-words.ts";
import { joinedNext, joinedPrevious, type Place, type Rule, table, textAt, tokenAt } from "./rule.ts";

const TYPES = table(`
  ave: avenue
  expy: expressway
  blvd: boulevard
  pkwy: parkway
  hwy: highway
  fwy: freeway
  rd: road
  ln: lane
  ct: court
  pl: place
  ter: terrace
  cir: circle
  trl: trail
  plz: plaza
  aly: alley
  st: street
  dr: drive
  rte: route`);
const WHOLE_TYPES =
  /^(?:Street|Avenue|Road|Boulevard|Drive|Lane|Court|Place|Way|Terrace|Circle|Square|Highway|Parkway|Row|Close)$/;
/** Read even without a house number before the street. */
const SURE_TYPES = /^(?:ave|expy|blvd|pkwy|hwy|fwy|rd)$/i;
const DIRECTIONS = table(`
  N: north
  S: south
  E: east
  W: west
  NE: northeast
  NW: northwest
  SE: southeast
  SW: southwest`);
const ORDINAL = /^\d+(?:st|nd|rd|th)$/i;
const NAME = /^(?:\p{Lu}[\p{L}'.-]*|\d+(?:st|nd|rd|th))$/u;
const HOUSE = /^([1-9]\d{0,4})([A-Z])?$/;
/** The most words of a street's name, its type included. */
const LONGEST_NAME = 4;

const isType = (text: string): boolean => TYPES.has(text.toLowerCase()) || WHOLE_TYPES.test(text);

/** Whether only space is behind a token, or the dot of "W.". */
const continues = (place: Place, offset: number): boolean => {
  const after = tokenAt(place, offset)?.after;
  return after === "" || (after === "." && DIRECTIONS.has(textAt(place, offset)));
};

/** Whether the words from an offset on are the name of a street. */
function streetFrom(place: Place, offset: number): boolean {
  for (let at = offset; at < offset + LONGEST_NAME; at++) {
    const text = textAt(place, at);
    if (at > offset && isType(text) && continues(place, at - 1)) return true;
    if (!NAME.test(text) || (at > offset && !continues(place, at - 1))) return false;
  }
  return false;
}

/** "1428 Elm St" is "fourteen twenty-eight Elm street", "221B Baker Street" is "two twenty-one B". */
const house: Rule = (place) => {
  const [, digits = "", letter = ""] = HOUSE.exec(textAt(place, 0)) ?? [];
  if (digits === "" || tokenAt(place, 0)?.after !== "" || !streetFrom(place, 1)) return undefined;
  if (digits.length < 3 && letter === "") return undefined;
  return [letter === "" ? houseNumber(digits) : `${houseNumber(digits)} ${letter}`];
};

/** In pairs: "one twenty-three", "twelve eleven". */
export function houseNumber(digits: string): string {
  if (digits.length > 4) return digitByDigit(digits);
  if (digits.length === 4) return year(digits);
  const rest = Number(digits.slice(-2));
  if (digits.length < 3) return belowHundred(rest);
  const hundreds = digitByDigit(digits.charAt(0));
  if (rest === 0) return `${hundreds} hundred`;
  return `${hundreds} ${rest < 10 ? `oh ${belowHundred(rest)}` : belowHundred(rest)}`;
}

/** "Arques Ave", "1st st", "hwy 61", "5 Elm Ct". */
const type: Rule = (place) => {
  const text = textAt(place, 0);
  const said = TYPES.get(text.toLowerCase());
  if (said === undefined) return undefined;
  const previous = joinedPrevious(place);
  if (/^(?:hwy|rte)$/i.test(text) && /^\d/.test(textAt(place, 1))) return [said];
  if (ORDINAL.test(previous) && !/^\p{Lu}\p{Ll}/u.test(joinedNext(place))) return [said];
  if (!/^\p{Lu}\p{Ll}/u.test(previous)) return undefined;
  const housed = [-2, -3, -4].some((offset) => HOUSE.test(textAt(place, offset)));
  if (!/^\p{Lu}/u.test(text) && !(housed && SURE_TYPES.test(text))) return undefined;
  return SURE_TYPES.test(text) || (housed && !/^(?:St|Dr)$/.test(text)) ? [said] : undefined;
};

/** "12 S 1st St", "Pennsylvania Ave NW", "N Hwy 101". */
const direction: Rule = (place) => {
  const said = DIRECTIONS.get(textAt(place, 0));
  if (said === undefined) return undefined;
  const before = continues(place, 0) && (streetFrom(place, 1) || ordinalStreet(place) || numbered(place));
  // "First St. N": the dot belongs to the street.
  const previous = /^\.?$/.test(tokenAt(place, -1)?.after ?? "!") ? textAt(place, -1) : "";
  const certain = textAt(place, 0).length === 2 || tokenAt(place, 0)?.after !== "" || tokenAt(place, 1) === undefined;
  const after = certain && isType(previous) && /^\p{Lu}/u.test(previous);
  return before || after ? [said] : undefined;
};

const ordinalStreet = (place: Place): boolean => ORDINAL.test(textAt(place, 1)) && isType(joinedNext(place, 1));

/** "N Hwy 101". */
const numbered = (place: Place): boolean =>
  /^(?:hwy|highway|rte|route)$/i.test(textAt(place, 1)) && /^\d/.test(joinedNext(place, 1));

export const STREET_RULES: readonly Rule[] = [house, type, direction];
