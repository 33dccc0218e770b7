import type { Noun } from "../rules/grammar.ts";
import { insideQuotation } from "../rules/quotations.ts";
import { joinedNext, joinedPrevious, type Rule, textAt, tokenAt } from "../rules/rule.ts";
import { unitFinder } from "../rules/units.ts";
import { UNITS } from "./unit-names.ts";
import { isOne, NUMBER, parseNumber, quantity, quarterQuantity, type WrittenNumber } from "./written-number.ts";

const withPower =
  (power: string) =>
  (unit: Noun): Noun => ({ one: `${power} ${unit.one}`, many: `${power} ${unit.many}`, gender: undefined });

export const unitOf = unitFinder({
  units: UNITS,
  per: "प्रति",
  powers: { "²": withPower("वर्ग"), "³": withPower("घन") },
  ofUnit: (unit) => unit.one,
});

/** With quarters in words the everyday word for a year follows: "डेढ़ साल". */
const withQuarters = (unit: string): string => (unit === "वर्ष" ? "साल" : unit);

function measured(number: WrittenNumber, unit: Noun): [string, string] {
  const quarter = quarterQuantity(number);
  return quarter === undefined
    ? [quantity(number), isOne(number) ? unit.one : unit.many]
    : [quarter, withQuarters(unit.many)];
}

const GLUED = new RegExp(`^([-–+±]?(?:${NUMBER}))(?:[-–](${NUMBER}))?([^\\d\\s.,-][^\\s,]{0,11})$`);

/** "5kg", "20°C", "5-10mg", "60%". */
const glued: Rule = (place) => {
  const [, first = "", second, symbol = ""] = GLUED.exec(textAt(place, 0)) ?? [];
  const unit = unitOf(symbol);
  const [from, to] = [parseNumber(first), parseNumber(second ?? first)];
  if (unit === undefined || from === undefined || to === undefined) return undefined;
  return [`${second === undefined ? "" : `${quantity(from)} से `}${measured(to, unit).join(" ")}`];
};

/** "5 kg", "1.5 किमी", "19 m²". */
const separate: Rule = (place) => {
  const number = parseNumber(textAt(place, 0));
  if (number === undefined) return undefined;
  const unit = unitOf(joinedNext(place));
  return unit === undefined ? undefined : measured(number, unit);
};

/** 55": inches, unless the sign closes a quotation. */
const inches: Rule = (place) => {
  const number = /^\d{1,3}(?:\.\d)?$/.test(textAt(place, 0)) ? parseNumber(textAt(place, 0)) : undefined;
  if (number === undefined || !/^["”″]/.test(tokenAt(place, 0)?.after ?? "") || insideQuotation(place))
    return undefined;
  return [`${quantity(number)} इंच`];
};

/** 5'10" */
const feet: Rule = (place) => {
  const [feetNumber, inchNumber] = (/^(\d)'(\d|1[01])(?:"|″|'')?$/.exec(textAt(place, 0)) ?? [])
    .slice(1)
    .map(parseNumber);
  if (feetNumber === undefined || inchNumber === undefined) return undefined;
  return [`${quantity(feetNumber)} फुट ${quantity(inchNumber)} इंच`];
};

/** "10-12 km", "5 से 10 kg", "3 लाख km": the number before it has been read already. */
const behindNumber: Rule = (place) => {
  const previous = joinedPrevious(place);
  if (!/\d$/.test(previous) && !/^(?:हज़ार|हजार|लाख|करोड़|अरब)$/.test(previous)) return undefined;
  const unit = unitOf(textAt(place, 0));
  return unit === undefined ? undefined : [unit.many];
};

/** "5 कि. मी.": two parts with dots. */
const PAIRS: Readonly<Record<string, string>> = {
  "कि मी": "किलोमीटर",
  "से मी": "सेंटीमीटर",
  "मि मी": "मिलीमीटर",
  "कि ग्रा": "किलोग्राम",
  "मि ग्रा": "मिलीग्राम",
  "मि ली": "मिलीलीटर",
};

const dotted: Rule = (place) => {
  const inner = textAt(place, 0).includes(".");
  const text = inner ? textAt(place, 0).replace(".", " ") : `${textAt(place, 0)} ${textAt(place, 1)}`;
  const said = PAIRS[text];
  if (said === undefined || (!inner && tokenAt(place, 0)?.after !== ".")) return undefined;
  return inner ? [said] : [said, ""];
};

export const UNIT_RULES: readonly Rule[] = [dotted, inches, feet, glued, separate, behindNumber];
