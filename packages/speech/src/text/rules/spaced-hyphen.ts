import { joinedNext, joinedPrevious, type Place, textAt } from "./rule.ts";

const AMOUNT = /^[-+]?([$€£¥₹]?)(\d[\d.,:]*)(\D{0,4})$/;
const OPERATOR = /^[=+×*]$/;

const numericValue = (digits: string): number =>
  Number.parseFloat(digits.replace(/[.,](?=\d{3}(?!\d))/g, "").replace(",", "."));

/**
 * What a hyphen with spaces around it means. "5 - 3" and "2 - 5 = x" subtract; "10 - 20 people", "$5 - $10" and
 * "9 am - 5 pm" are ranges.
 */
export function spacedHyphen(place: Place): "minus" | "range" {
  if (OPERATOR.test(joinedNext(place, 1)) || OPERATOR.test(textAt(place, -2))) return "minus";
  const [from, to] = [AMOUNT.exec(joinedPrevious(place)), AMOUNT.exec(joinedNext(place))];
  if (/^[ap]m$/i.test(joinedPrevious(place))) return "range";
  if (from === null || to === null) return "minus";
  const marked = [from[1], from[3], to[1], to[3]].some((mark) => mark !== undefined && mark !== "");
  return marked || numericValue(from[2] ?? "") < numericValue(to[2] ?? "") ? "range" : "minus";
}
