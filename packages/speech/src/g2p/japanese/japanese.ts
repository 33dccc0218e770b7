import { readNumber } from "../../text/japanese/number-words.ts";
import { characterFrontEnd } from "../characters.ts";
import { readCharacters } from "./readings.ts";

/** Japanese in Kokoro's symbols: the moras of each character, and spaces between words. Loads the dictionary (13 MB). */
export const pronounceJapanese = characterFrontEnd(readCharacters, readNumber);
