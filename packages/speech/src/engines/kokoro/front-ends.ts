import type { FrontEnd, Pronouncer } from "../../g2p/pronounce.ts";
import { inKokoroSymbols } from "./alphabet.ts";

/**
 * The languages for which Kokoro learned phonemes other than espeak's, or in which espeak is often wrong, by the first part of the
 * language's name. A front end returns Kokoro's own symbols. It is loaded when its language is first spoken.
 */
export type FrontEndLoaders = Readonly<Record<string, (espeak: Pronouncer) => Promise<FrontEnd>>>;

export const frontEnds: FrontEndLoaders = {
  en: async (espeak) => (await import("../../g2p/english/english.ts")).loadEnglish(espeak),
  fr: async (espeak) => inKokoroSymbols((await import("../../g2p/french/liaisons.ts")).withUsualLiaisons(espeak)),
  hi: async (espeak) => inKokoroSymbols((await import("../../g2p/hindi/schwas.ts")).withoutSilentSchwas(espeak)),
  id: async (espeak) => inKokoroSymbols((await import("../../g2p/indonesian/vowels.ts")).withVowels(espeak)),
  ja: async () => (await import("../../g2p/japanese/japanese.ts")).pronounceJapanese,
  zh: async () => (await import("../../g2p/chinese/chinese.ts")).pronounceChinese,
};
