/**
 * The layout of a packed lexicon, before compression. All numbers are little-endian.
 *
 *   u32 number of blocks; u32 start of each block in the records
 *   records, sorted by the bytes of the word:
 *     u8 letters shared with the word before (0 at the start of a block), u8 other letters, those letters in ASCII,
 *     u8 length of the value, value
 *
 * A value is the phonemes, one byte each. More of them for certain parts of speech follow: 0, the tag's byte, phonemes.
 */
export const BLOCK_WORDS = 16;

/** Phonemes by their byte, from 1 on: Kokoro's symbols for English. */
export const SYMBOLS = [..."AIOQTWYabdfhijklmnpstuvwzæðŋɑɒɔəɛɜɡɪɹʃʊʌʒʤʧˈˌːθᵊᵻ"];

/** Parts of speech by their byte, from 1 on. `end`: before punctuation and at the end of a text. */
export const TAGS = ["ADJ", "ADV", "DT", "NOUN", "VBD", "VBN", "VBP", "VERB", "end"] as const;

export type LexiconTag = (typeof TAGS)[number];
