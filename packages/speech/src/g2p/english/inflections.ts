/** The stem of an inflected word, and how the ending sounds after it. */
export interface Inflection {
  /** Possible stems, the likeliest first. */
  readonly stems: readonly string[];
  /** The inflected word's phonemes from those of the stem; undefined where the rule does not hold. */
  inflect(stem: string, isBritish: boolean): string | undefined;
}

/** After these sounds, an American t before a vowel is a flap. */
const BEFORE_FLAP = /[AIOWYiuæɑəɛɪɹʊʌ]t$/;

/** The inflections that a word may be: plural and third person, possessive, past, participle. */
export function inflectionsOf(word: string): Inflection[] {
  const found: Inflection[] = [];
  if (word.length >= 3 && word.endsWith("s")) found.push({ stems: stemsBeforeS(word), inflect: addS });
  if (word.length >= 4 && word.endsWith("d")) found.push({ stems: stemsBeforeEd(word), inflect: addEd });
  if (word.length >= 5 && word.endsWith("ing")) found.push({ stems: stemsBeforeIng(word), inflect: addIng });
  return found.filter(({ stems }) => stems.length > 0);
}

function stemsBeforeS(word: string): string[] {
  if (word.endsWith("'s")) return [word.slice(0, -2)];
  const stems: string[] = [];
  if (!word.endsWith("ss")) stems.push(word.slice(0, -1));
  if (word.length > 4 && word.endsWith("ies")) stems.push(`${word.slice(0, -3)}y`);
  else if (word.length > 4 && word.endsWith("es")) stems.push(word.slice(0, -2));
  return stems;
}

function stemsBeforeEd(word: string): string[] {
  const stems: string[] = [];
  if (!word.endsWith("dd")) stems.push(word.slice(0, -1));
  if (word.length > 4 && word.endsWith("ed") && !word.endsWith("eed")) stems.push(word.slice(0, -2));
  if (word.length > 5 && word.endsWith("ied")) stems.push(`${word.slice(0, -3)}y`);
  if (/([bdgklmnprtvz])\1ed$/.test(word)) stems.push(word.slice(0, -3));
  return stems;
}

function stemsBeforeIng(word: string): string[] {
  const stems: string[] = [];
  if (word.length > 5) stems.push(word.slice(0, -3));
  stems.push(`${word.slice(0, -3)}e`);
  if (word.length > 5 && /([bcdgklmnprstvxz])\1ing$|cking$/.test(word)) stems.push(word.slice(0, -4));
  return stems;
}

function addS(stem: string, isBritish: boolean): string {
  if (/[ptkfθ]$/.test(stem)) return `${stem}s`;
  return /[szʃʒʧʤ]$/.test(stem) ? `${stem}${isBritish ? "ɪ" : "ᵻ"}z` : `${stem}z`;
}

function addEd(stem: string, isBritish: boolean): string {
  if (/[pkfθʃsʧ]$/.test(stem)) return `${stem}t`;
  if (stem.endsWith("d")) return `${stem}${isBritish ? "ɪ" : "ᵻ"}d`;
  if (!stem.endsWith("t")) return `${stem}d`;
  if (isBritish) return `${stem}ɪd`;
  return BEFORE_FLAP.test(stem) ? `${stem.slice(0, -1)}Tᵻd` : `${stem}ᵻd`;
}

function addIng(stem: string, isBritish: boolean): string | undefined {
  if (isBritish) return /[əː]$/.test(stem) ? `${stem}ɹɪŋ` : `${stem}ɪŋ`;
  return BEFORE_FLAP.test(stem) ? `${stem.slice(0, -1)}Tɪŋ` : `${stem}ɪŋ`;
}
