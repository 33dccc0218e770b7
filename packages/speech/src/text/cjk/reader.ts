import type { Reader } from "../rules/reader.ts";
import { firstReading, type Rule, textAt } from "../rules/rule.ts";

/** A reader for languages whose tokens are characters: what no rule knows is spoken as it is written. */
export function characterReader(rules: readonly Rule[]): Reader {
  return {
    read(tokens, index) {
      const place = { tokens, index, style: undefined };
      return firstReading(rules, place) ?? [textAt(place, 0)];
    },
  };
}
