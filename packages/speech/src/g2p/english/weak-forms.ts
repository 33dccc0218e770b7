/** The sound after a word; "end" is punctuation or the end of the text. */
export type FollowingSound = "vowel" | "consonant" | "end";

type WeakForm = (following: FollowingSound, word: string) => string | undefined;

const forms: Readonly<Record<string, WeakForm>> = {
  // The letter: "vitamin A".
  a: (following, word) => (following === "end" && word === "A" ? "ˈA" : "ɐ"),
  an: () => "ɐn",
  am: (following) => (following === "end" ? undefined : "ɐm"),
  // Without the stress, Kokoro nearly drops it.
  i: () => "ˌI",
  in: (following) => (following === "end" ? "ˈɪn" : "ɪn"),
  the: (following) => (following === "vowel" ? "ði" : "ðə"),
  to: (following) => ({ vowel: "tʊ", consonant: "tə", end: undefined })[following],
};

/** How a function word is spoken before the next sound; undefined: as the lexicon says. */
export function weakForm(word: string, following: FollowingSound): string | undefined {
  const form = Object.hasOwn(forms, word.toLowerCase()) ? forms[word.toLowerCase()] : undefined;
  return form?.(following, word);
}
