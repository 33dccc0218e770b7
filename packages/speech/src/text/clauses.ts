import type { ReadWord } from "./read.ts";
import { spokenWidth } from "./spoken-width.ts";

/** How natural a split after a word is; higher is better, 0 is never. */
export const SENTENCE_CUT = 6;
const CLAUSE_CUT = 4;
export const COMMA_CUT = 3;
const CONJUNCTION_CUT = 2;
const PREPOSITION_CUT = 1.5;
const SPACE_CUT = 1;
export const CLINGING_CUT = 0.5;

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** Words that start a clause, in the languages of the voices. */
const CONJUNCTIONS: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "en",
    words(`and but or nor so because although though while when where who which that if unless until since than as`),
  ],
  ["es", words("y e o u pero porque aunque mientras cuando donde que si como")],
  ["fr", words("et ou mais car parce quoique quand lorsque où qui que si comme")],
  ["it", words("e o ma perché mentre quando dove che se come")],
  ["pt", words("e ou mas porque embora enquanto quando onde que se como")],
  ["hi", words("और या लेकिन क्योंकि जब जहाँ कि अगर तो")],
]);

/** Words that start a phrase; none has another meaning in one of the other languages. */
const PREPOSITIONS = words(
  `in on at with for from by about over into during through between under against without after before en con para por
   desde sin sobre entre dans avec pour par sur sans depuis per da su senza tra fra em com sem`,
);

/** Words that belong to the next one: a split after them sounds wrong. */
const CLINGING = words(
  `the a an my your his her its our their of to in on at by for from with and or but as is are was were be been very not
   no this that these those mister missus miz doctor saint el la los las un una de le les des du il lo gli o os um uma`,
);

/** The length of a spoken word, with its punctuation and the space after it. */
export const spokenLength = ({ word }: ReadWord): number => spokenWidth(word) + word.after.length + 1;

/** How natural it is to pause after `list[index]`. */
export function cutStrength(list: readonly ReadWord[], index: number, endsSentence: boolean, language: string): number {
  const here = list[index];
  const next = list[index + 1];
  if (here === undefined || next === undefined || next.joined) return 0;
  if (endsSentence) return SENTENCE_CUT;
  if (/^[;:—….!?]$/.test(here.word.after)) return CLAUSE_CUT;
  if (here.word.after === ",") return COMMA_CUT;
  const text = here.word.text.toLowerCase();
  if (CLINGING.has(text)) return CLINGING_CUT;
  const following = next.word.text.toLowerCase();
  if (CONJUNCTIONS.get(language.slice(0, 2).toLowerCase())?.has(following) === true) return CONJUNCTION_CUT;
  return PREPOSITIONS.has(following) ? PREPOSITION_CUT : SPACE_CUT;
}
