import type { LanguageGuess } from "../../engines/recognizer.ts";
import type { Assign, Assignment } from "../assign.ts";
import { chooseLanguage, isDecided } from "../choose-language.ts";

/** Finds the language of a stream in its first seconds of speech. */
export interface LanguageFinder {
  /** Undefined while nothing is known. */
  readonly assignment: Assignment | undefined;
  /** Whether further guesses can change it. */
  readonly isOpen: boolean;
  add(guesses: readonly LanguageGuess[], spokenSeconds: number): void;
}

/** After this much speech the likeliest language is taken, however likely it is. */
const ENOUGH_SECONDS = 6;

export function createLanguageFinder(assign: Assign, given: string | undefined): LanguageFinder {
  let assignment = assign(given);
  let isOpen = assignment === undefined;
  const all: (readonly LanguageGuess[])[] = [];
  let spoken = 0;
  return {
    get assignment() {
      return assignment;
    },
    get isOpen() {
      return isOpen;
    },
    add(guesses, spokenSeconds) {
      if (!isOpen || guesses.length === 0) return;
      all.push(guesses);
      spoken += spokenSeconds;
      const language = chooseLanguage(all);
      if (language === undefined) return;
      assignment = assign(language);
      isOpen = !isDecided([guesses], 0) && !isDecided(all, spoken) && spoken < ENOUGH_SECONDS;
    },
  };
}
