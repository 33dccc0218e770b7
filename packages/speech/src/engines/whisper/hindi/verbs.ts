/** Forms of regular verbs, whose infinitive and participle are in a list of words. */
export function verbForms(words: readonly string[]): string[] {
  const listed = new Set(words);
  return words
    .filter((word) => word.endsWith("ना") && listed.has(word.replace(/ना$/u, "ने")))
    .map((word) => word.slice(0, -2))
    .filter((stem) => ["ता", "ते", "ती", "कर"].some((ending) => listed.has(stem + ending)))
    .flatMap((stem) => ENDINGS.map((ending) => join(stem, ending)));
}

const ENDINGS = "ना नी ने ता ती ते तीं कर के आ ई ए ईं ओ ऊँ एँ ऊँगा ऊँगी एगा एगी एँगे एँगी ओगे ओगी इए इएगा".split(" ");
const SIGNS: Readonly<Record<string, string>> = { आ: "ा", ई: "ी", ए: "े", ओ: "ो", ऊ: "ू", इ: "ि" };

/** After a consonant, a vowel is a sign; after a vowel, the past has a glide, and long vowels are short. */
function join(stem: string, ending: string): string {
  const first = ending.charAt(0);
  if (!(first in SIGNS)) return stem + ending;
  if (/[\u0915-\u0939़]$/u.test(stem)) return stem + SIGNS[first] + ending.slice(1);
  const short = stem.replace(/ी$/u, "ि").replace(/ू$/u, "ु");
  return short + (ending === "आ" ? "या" : ending);
}
