import type { Place as AnyPlace, Rule as AnyRule } from "../rules/rule.ts";
import type { NumberStyle } from "./number-words.ts";

export { joinedNext, joinedPrevious, type Reading, table, textAt, tokenAt, wordSet } from "../rules/rule.ts";

export type Place = AnyPlace<NumberStyle>;
export type Rule = AnyRule<NumberStyle>;
