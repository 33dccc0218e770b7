/** How well a text in Latin letters fits each language, 0 to 1, by ISO 639-1 code. Languages that do not fit are left out. */
export type LatinScores = (text: string) => Readonly<Record<string, number>>;

/** Also Dutch, which no voice speaks, so that it is not taken for another one. The detector knows Malay, which stands for Indonesian. */
const CANDIDATES = ["en", "es", "fr", "it", "pt", "de", "ms", "nl"];

/** Loads the n-grams of the detector, about 30 MB: once for each process. */
export async function loadLatinScores(): Promise<LatinScores> {
  const { eld } = await import("eld/extrasmall");
  eld.setLanguageSubset(CANDIDATES);
  return (text) => {
    const { ms, ...scores } = eld.detect(text).getScores();
    return ms === undefined ? scores : { ...scores, id: ms };
  };
}
