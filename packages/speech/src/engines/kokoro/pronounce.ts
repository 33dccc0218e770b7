import { languageRuns } from "../../g2p/by-language.ts";
import { type FrontEnd, type PronouncedWord, type Pronouncer, splitPhonemes } from "../../g2p/pronounce.ts";
import type { SpokenWord } from "../../text/types.ts";
import { inKokoroSymbols, kokoroSymbols } from "./alphabet.ts";
import { type FrontEndLoaders, frontEnds } from "./front-ends.ts";

/** Converts words to Kokoro's symbols. */
export type KokoroPronouncer = (words: readonly SpokenWord[], language: string) => Promise<PronouncedWord[]>;

/** Each language is pronounced by its own front end, or by espeak where it has none. */
export function createKokoroPronouncer(espeak: Pronouncer, loaders: FrontEndLoaders = frontEnds): KokoroPronouncer {
  const loaded = new Map<string, Promise<FrontEnd>>();
  const byEspeak = inKokoroSymbols(espeak);

  function frontEndOf(language: string): Promise<FrontEnd> | FrontEnd {
    const name = language.split("-")[0] ?? "";
    const load = loaders[name];
    if (load === undefined) return byEspeak;
    const known = loaded.get(name) ?? load(espeak);
    loaded.set(name, known);
    return known;
  }

  return async (words, language) => {
    const pronounced: PronouncedWord[] = [];
    for (const run of languageRuns(words, language)) {
      const frontEnd = await frontEndOf(run.language);
      const spoken = frontEnd(run.words, run.language);
      for (const [index, word] of run.words.entries()) {
        const own = spoken[index] ?? { phonemes: [], after: word.after };
        pronounced.push(
          word.phonemes === undefined ? own : { phonemes: given(word.phonemes, run.language), after: word.after },
        );
      }
    }
    return pronounced;
  };
}

const given = (ipa: string, language: string): string[] => [kokoroSymbols(splitPhonemes(ipa), language)];
