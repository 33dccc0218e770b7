import type { WordContext } from "./context.ts";
import { BEFORE_INFINITIVE, FORMS_OF_BE, isDeterminer, OBJECTS, SUBJECTS } from "./word-classes.ts";

/** Chooses an American pronunciation of a word that the part of speech alone does not decide. */
type Choice = (context: WordContext) => string | undefined;

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));
const some = (sentence: ReadonlySet<string>, list: ReadonlySet<string>): boolean => {
  for (const word of list) if (sentence.has(word)) return true;
  return false;
};

const LEAD_THINGS = words(`
  pipe pipes paint poisoning pencil pencils bullet bullets weight weights acid shot crystal apron ore mine mines glass oxide
  foil exposure contamination levels batteries`);
const METALS = words(
  "metal metals pipe pipes poison poisonous toxic copper zinc iron tin gold silver molten melts melted",
);
const MUSIC = words(`
  guitar guitars guitarist player players drum drums clef voice note notes singer singers band music speaker speakers loud
  sound sounds sing sings sang song songs orchestra treble strings solo volume jazz tenor baritone plays play played playing
  booming deep electric`);
const FISH = words("fish fishing fished caught catch lake river sea grilled pond trout salmon boat cooked ate eat");
const BECOMING = words(
  "grew grow grows growing became become becoming getting got get went going turned felt even and",
);
const SHIP = words("ship boat stern deck sailor sailors waves captain sea");
const DIVES = words("into in down off under through headfirst deep from for");

const choices: Readonly<Record<string, Choice>> = {
  lead: ({ previous, next, sentence }) => {
    if (BEFORE_INFINITIVE.has(previous) || SUBJECTS.has(previous)) return undefined;
    const metal =
      LEAD_THINGS.has(next) || ((next === "" || next === "and") && ["of", "as", "with", "than"].includes(previous));
    return metal || (!isDeterminer(previous) && !OBJECTS.has(next) && some(sentence, METALS)) ? "lˈɛd" : undefined;
  },
  bass: ({ sentence }) => (some(sentence, FISH) && !some(sentence, MUSIC) ? "bˈæs" : "bˈAs"),
  bow: ({ previous, beforePrevious, next, sentence }) => {
    const greeting = /^(?:take|took|takes|taking|taken|final|polite|deep|low)$/;
    if (greeting.test(previous) || (previous === "a" && greeting.test(beforePrevious))) return "bˈW";
    return isDeterminer(previous) && next !== "tie" && some(sentence, SHIP) ? "bˈW" : undefined;
  },
  dove: ({ previous, next }) =>
    DIVES.has(next) && (SUBJECTS.has(previous) || !isDeterminer(previous)) && !FORMS_OF_BE.has(next)
      ? "dˈOv"
      : undefined,
  number: ({ previous, next }) =>
    BECOMING.has(previous) && previous !== "and" && next !== "of" ? "nˈʌməɹ" : undefined,
  tear: ({ previous, beforePrevious, next, sentence }) => {
    if (previous === "and" && beforePrevious === "wear") return "tˈɛɹ";
    return isDeterminer(previous) && next === "in" && !sentence.has("eye") && !sentence.has("eyes")
      ? "tˈɛɹ"
      : undefined;
  },
  resume: ({ previous }) => (isDeterminer(previous) ? "ɹˈɛzəmˌA" : undefined),
  résumé: () => "ɹˈɛzəmˌA",
  used: ({ previous, next, afterNext }) => {
    if (next !== "to") return undefined;
    // "He is used to it", but "It is used to cut wood".
    const passive = FORMS_OF_BE.has(previous) && !isDeterminer(afterNext) && !OBJECTS.has(afterNext);
    return passive && !afterNext.endsWith("ing") ? undefined : "jˈust";
  },
};

/** The pronunciation of a word by the words around it; undefined where the lexicon or the part of speech decides. */
export function chooseHeteronym(context: WordContext, isBritish: boolean): string | undefined {
  const chosen = Object.hasOwn(choices, context.word) ? choices[context.word]?.(context) : undefined;
  return isBritish ? chosen?.replace("O", "Q").replace("æ", "a").replace("ɛɹ", "ɛː").replace(/əɹ$/, "ə") : chosen;
}
