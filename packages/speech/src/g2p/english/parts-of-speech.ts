import type { WordContext } from "./context.ts";
import type { LexiconTag } from "./lexicon-format.ts";
import {
  BEFORE_INFINITIVE,
  FORMS_OF_BE,
  FORMS_OF_HAVE,
  isAdverb,
  isConjunction,
  isDegree,
  isDeterminer,
  isFunctionWord,
  isPast,
  isPlural,
  isSingularSubject,
  OBJECTS,
  PREPOSITIONS,
  SUBJECTS,
} from "./word-classes.ts";

/** Which pronunciation of a word is meant; undefined is the usual one. `known` are those that the lexicon has. */
export function partOfSpeech(context: WordContext, known: ReadonlyMap<LexiconTag, string>): LexiconTag | undefined {
  if (context.word === "used") return undefined;
  if (known.has("VBD")) return tense(context, known);
  if (known.has("DT")) return context.starts || PREPOSITIONS.has(context.previous) ? "DT" : undefined;
  if (known.has("ADV")) return context.next === "" ? "ADV" : undefined;
  if (known.has("ADJ") && isAdjective(context)) return "ADJ";
  if (isVerb(context)) return "VERB";
  return known.has("NOUN") && isNoun(context) ? "NOUN" : undefined;
}

/** The word before, without adverbs between: "will never desert". */
function governor({ previous, beforePrevious }: WordContext): string {
  return isAdverb(previous) ? beforePrevious : previous;
}

const opensObject = (word: string): boolean => isDeterminer(word) || OBJECTS.has(word);

/** Nouns and adjectives before "to": "access to use" is not an infinitive, but these are rare. */
const TO_IS_PREPOSITION = new Set(["according", "due", "thanks", "prior", "next", "access", "related", "similar"]);

/** "Let me present": an object and an infinitive follow. */
const CAUSATIVES = new Set(["let", "make", "made", "makes", "help", "helped", "watch", "see", "hear"]);

function isVerb(context: WordContext): boolean {
  const { word, previous, beforePrevious, next, starts } = context;
  const before = governor(context);
  if (next === "of") return false;
  if (previous === "to") return !TO_IS_PREPOSITION.has(beforePrevious);
  if (OBJECTS.has(previous) && CAUSATIVES.has(beforePrevious)) return true;
  if (starts && !SUBJECTS.has(previous)) return opensObject(next) || startsPhrase(next);
  if (BEFORE_INFINITIVE.has(before)) return true;
  if (before === "that" || before === "which") return isPlural(beforePrevious) && !FORMS_OF_BE.has(next);
  if (SUBJECTS.has(before)) return true;
  if (isDeterminer(before) || FORMS_OF_BE.has(before) || FORMS_OF_HAVE.has(before)) return false;
  if (PREPOSITIONS.has(before)) return false;
  if (isConjunction(before)) return opensObject(next);
  if (isPlural(before))
    return !FORMS_OF_BE.has(next) && !FORMS_OF_HAVE.has(next) && (next === "to" || !BEFORE_INFINITIVE.has(next));
  // "The lake freezes and the ice contracts in winter": a singular noun and a form with s.
  if (/[^s]s$/.test(word) && !isFunctionWord(before)) return opensObject(next) || PREPOSITIONS.has(next);
  return opensObject(next) && isAdverb(previous);
}

/** "Close up the shop", "Project onto the wall", "Separate carefully". */
function startsPhrase(next: string): boolean {
  return ["up", "down", "onto", "into", "back", "to", "as"].includes(next) || (next.length > 4 && next.endsWith("ly"));
}

/** Adjectives whose noun has another stress or sound. */
const USUALLY_ADJECTIVES = new Set(["close", "invalid", "overweight", "closer"]);

function isNoun(context: WordContext): boolean {
  const { word, next } = context;
  const before = context.previous;
  if (next === "of") return true;
  if (USUALLY_ADJECTIVES.has(word)) return isDeterminer(before) && (next === "" || isFunctionWord(next));
  if (isDeterminer(before) || PREPOSITIONS.has(before) || FORMS_OF_HAVE.has(before)) return true;
  if (context.starts) return FORMS_OF_BE.has(next) || BEFORE_INFINITIVE.has(next);
  // An adjective or a noun stands before it: "fresh produce".
  return before !== "" && !isFunctionWord(before) && !isAdverb(before) && !opensObject(next);
}

function isAdjective({ word, previous, beforePrevious, next }: WordContext): boolean {
  const nounFollows = next !== "" && !isFunctionWord(next);
  if (word === "minute")
    return (
      FORMS_OF_BE.has(previous) ||
      isDegree(previous) ||
      /^(?:detail|amount|particle|quantit|trace|difference|change|fraction)/.test(next)
    );
  if (isDegree(previous)) return true;
  if (FORMS_OF_BE.has(previous) || (isDegree(previous) && FORMS_OF_BE.has(beforePrevious))) return !word.endsWith("ed");
  return isDeterminer(previous) && nounFollows;
}

/** For verbs whose past is written like another form: "read", "wound". */
function tense(context: WordContext, known: ReadonlyMap<LexiconTag, string>): LexiconTag | undefined {
  const { word, previous, next, starts, sentence } = context;
  const before = governor(context);
  const question = SUBJECTS.has(previous) && FORMS_OF_HAVE.has(context.beforePrevious);
  if (question || FORMS_OF_HAVE.has(before) || FORMS_OF_BE.has(before)) return known.has("VBN") ? "VBN" : "VBD";
  if (BEFORE_INFINITIVE.has(before) || PREPOSITIONS.has(before)) return undefined;
  if (word !== "read" && word !== "reread") {
    if (isDeterminer(previous)) return undefined;
    return SUBJECTS.has(before) || (opensObject(next) && !starts) || ["up", "around", "through"].includes(next)
      ? "VBD"
      : undefined;
  }
  if (isDeterminer(before) || (starts && !SUBJECTS.has(before))) return undefined;
  if (isSingularSubject(before)) return "VBD";
  if (SUBJECTS.has(before) || isPlural(before) || isConjunction(before))
    return [...sentence].some(isPast) ? "VBD" : undefined;
  // A singular noun or a name, without s: "The teacher read the story", but "a good read".
  return next === "" ? undefined : "VBD";
}
