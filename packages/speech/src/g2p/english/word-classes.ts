const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Words that a noun follows. */
const DETERMINERS = words(`
  the a an this that these those my your his her its our their some any no every each another either neither which what
  whose both all many few several most such one two three four five six seven eight nine ten`);
export const SUBJECTS = words("i you we they he she it who");
const SINGULAR_SUBJECTS = words("he she it who this that everyone everybody someone somebody nobody");
export const OBJECTS = words("me him us them it you her everyone everything something anything yourself himself");
/** The verb after them is an infinitive. */
export const BEFORE_INFINITIVE = words(`
  to will would can could shall should may might must i'll you'll he'll she'll it'll we'll they'll i'd you'd he'd she'd we'd
  they'd won't can't cannot couldn't wouldn't shouldn't mustn't do does did don't doesn't didn't let's please helps help`);
export const FORMS_OF_BE = words(`
  is are was were be been being am i'm you're he's she's it's we're they're isn't aren't wasn't weren't seems seem looks
  look feel feels felt remain remains became become becomes`);
export const FORMS_OF_HAVE = words(`
  have has had having i've you've we've they've haven't hasn't hadn't`);
export const PREPOSITIONS = words(`
  of in on at by for from with without into onto about over under between through during against across behind beyond near
  after before until since than as per via like up out off`);
const CONJUNCTIONS = words("and or but nor so because if when while although though then yet where how why");
const ADVERBS = words(`
  not never always often sometimes usually also just still already soon really even ever rarely only again almost quickly
  seldom both now`);
const DEGREES = words("very too so more most quite rather less extremely really highly");
const PLURALS = words("people men women children police mice teeth feet geese they");
const PAST_VERBS = words(`
  was were had did said went came saw took gave found told thought knew got made felt left kept began brought wrote sat stood
  heard ran met fell laughed`);
const PAST_TIMES = words("yesterday ago last earlier once recently");

export const isPlural = (word: string): boolean =>
  PLURALS.has(word) || (word.length > 3 && /[^siu']s$/.test(word) && !isFunctionWord(word));

export const isAdverb = (word: string): boolean => ADVERBS.has(word) || (word.length > 4 && word.endsWith("ly"));
export const isDegree = (word: string): boolean => DEGREES.has(word);
export const isConjunction = (word: string): boolean => CONJUNCTIONS.has(word);
export const isSingularSubject = (word: string): boolean => SINGULAR_SUBJECTS.has(word);

export const isDeterminer = (word: string): boolean => DETERMINERS.has(word) || /[^t]'s$|s'$/.test(word);

/** Whether a word shows that its sentence tells of the past. */
export const isPast = (word: string): boolean =>
  PAST_VERBS.has(word) || PAST_TIMES.has(word) || (word.length > 4 && /[^e]ed$/.test(word));

export function isFunctionWord(word: string): boolean {
  return [
    ...[DETERMINERS, SUBJECTS, OBJECTS, BEFORE_INFINITIVE, FORMS_OF_BE],
    ...[FORMS_OF_HAVE, PREPOSITIONS, CONJUNCTIONS, ADVERBS],
  ].some((list) => list.has(word));
}
