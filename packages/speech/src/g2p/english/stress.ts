const PRIMARY = "ˈ";
const SECONDARY = "ˌ";
const VOWEL = /[AIOQWYaiuæɑɒɔəɛɜɪʊʌᵻ]/;

export const startsWithVowel = (phonemes: string): boolean => VOWEL.test(phonemes.replace(/[ˈˌ]/g, "").charAt(0));

const isStressed = (phonemes: string): boolean => /[ˈˌ]/.test(phonemes);

/** Adds secondary stress to the first vowel of a word without any stress. */
export function withSecondaryStress(phonemes: string): string {
  return isStressed(phonemes) ? phonemes : markFirstVowel(phonemes, SECONDARY);
}

/** Primary stress for emphasis: a secondary one is raised, and a word without any stress gets it. */
export function withPrimaryStress(phonemes: string): string {
  if (phonemes.includes(PRIMARY)) return phonemes;
  return phonemes.includes(SECONDARY) ? phonemes.replace(SECONDARY, PRIMARY) : markFirstVowel(phonemes, PRIMARY);
}

/** Primary stress becomes secondary, and secondary none. */
export function demoted(phonemes: string): string {
  return phonemes.includes(PRIMARY) ? phonemes.replaceAll(SECONDARY, "").replaceAll(PRIMARY, SECONDARY) : phonemes;
}

function markFirstVowel(phonemes: string, mark: string): string {
  const at = phonemes.search(VOWEL);
  return at < 0 ? phonemes : phonemes.slice(0, at) + mark + phonemes.slice(at);
}
