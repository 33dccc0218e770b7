import { readNumber } from "../../text/chinese/number-words.ts";
import { characterFrontEnd } from "../characters.ts";
import { readCharacters } from "./readings.ts";

/** Mandarin in Kokoro's symbols: a syllable with its tone for each character, and spaces between words. */
export const pronounceChinese = characterFrontEnd(readCharacters, readNumber);
