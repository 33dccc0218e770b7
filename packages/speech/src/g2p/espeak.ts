import createModule from "@echogarden/espeak-ng-emscripten";

/** A pronounced word: its phonemes in order, stress marks before the vowel they belong to ("ˈoʊ"). */
export type PhonemeGroup = readonly string[];

export interface Espeak {
  /** The phonemes of a clause; the context determines stress and liaisons. A group is one or more words that espeak joins. */
  pronounce(clause: string, language: string): PhonemeGroup[];
}

/** espeak finds voices by file name, which is not always the language. */
const voiceFiles: Readonly<Record<string, string>> = { "en-gb": "en", "fr-fr": "fr" };

/** Loads espeak-ng (about 0.1 s and 100 MB): once for each process. */
export async function loadEspeak(): Promise<Espeak> {
  const module = await createModule();
  const worker = await new module.eSpeakNGWorker();
  let current = "";
  return {
    pronounce(clause, language) {
      if (language !== current && worker.set_voice(voiceFiles[language] ?? language) !== 0) {
        current = "";
        throw new Error(`espeak-ng has no language "${language}"`);
      }
      current = language;
      const bytes: Uint8Array = module.HEAPU8;
      const start = worker.convert_to_phonemes(clause, true).ptr;
      const end = bytes.indexOf(0, start);
      // "h_ə_l_ˈoʊ w_ˈɜː_l_d | …": spaces separate words, bars clauses; "(en)word(fr)" is a change of language.
      return Buffer.from(bytes.subarray(start, end))
        .toString()
        .replace(/\([a-z-]+\)/g, "")
        .split(/[\s|]+/)
        .map((group) => group.split("_").filter((phoneme) => phoneme !== "" && phoneme !== "-"))
        .filter((group) => group.length > 0);
    },
  };
}
