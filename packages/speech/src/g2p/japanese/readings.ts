import type { CharacterReader, SpokenCharacter } from "../characters.ts";
import { analyze, type Morpheme } from "./analyzer.ts";
import { isKana, isSmallKana, morasOf, withNasals } from "./kana.ts";
import { isNumeral, type ReadPart, readNumerals } from "./numbers.ts";

/** A word with its endings, or a number with its counter: read without a space inside. */
interface Piece extends ReadPart {
  readonly start: boolean;
}

/** A number that was written in digits. */
const WRITTEN_NUMBER = /^[零一二三四五六七八九十百千万億兆]+(?:点[零一二三四五六七八九]+)?/u;
/** Numbers are divided here: "一万 二千". */
const GROUP_END = /[万億兆]$/u;

/** Reads a clause of Japanese: one result for each character. */
export const readCharacters: CharacterReader = (clause, numbers) => {
  const characters = piecesOf(analyze(clause), clause, numbers).flatMap(spread);
  return characters.map(({ symbols, start }, index) => {
    // Small letters have no sound of their own.
    const next = characters.slice(index + 1, index + 4).find((other) => other.start || other.symbols !== "");
    return { symbols: withNasals(symbols, next?.start === false ? next.symbols : ""), start };
  });
};

function piecesOf(morphemes: readonly Morpheme[], clause: string, numbers: ReadonlySet<number>): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let index = 0;
  while (index < morphemes.length) {
    const morpheme = morphemes[index];
    if (morpheme === undefined) break;
    const previous = morphemes[index - 1];
    const digits = numbers.has([...clause.slice(0, at)].length);
    const run = digits ? (WRITTEN_NUMBER.exec(clause.slice(at))?.[0] ?? "") : numberRun(morphemes, index);
    if (run === "") {
      pieces.push({ characters: morpheme.text, kana: kanaOf(morpheme), start: startsWord(previous, morpheme) });
      at += morpheme.text.length;
      index++;
      continue;
    }
    const prefixed = previous?.part === "接頭詞";
    const parts = readNumerals(run, clause.slice(0, at), clause.slice(at + run.length), digits);
    for (const [place, part] of parts.entries()) {
      const divided = place > 0 && GROUP_END.test(parts[place - 1]?.characters ?? "") && isNumeral(part.characters);
      pieces.push({ ...part, start: place === 0 ? !prefixed : divided });
      at += part.characters.length;
    }
    index = morphemeAt(morphemes, at);
    const rest = overlap(morphemes, index, at);
    if (rest !== "") {
      pieces.push(...piecesOf(analyze(rest), rest, new Set()));
      at += rest.length;
      index++;
    }
  }
  return pieces;
}

/** The numerals from a morpheme on; "" if it is no number. 何 and 点 only count between or before others. */
function numberRun(morphemes: readonly Morpheme[], index: number): string {
  let run = "";
  for (let next = index; next < morphemes.length; next++) {
    const { text = "", detail = "" } = morphemes[next] ?? {};
    const following = morphemes[next + 1];
    const point = text === "点" && run !== "" && following?.detail === "数" && isNumeral(following.text);
    const asked = text === "何" && run === "" && following?.detail === "接尾";
    if (!isNumeral(text) || !(detail === "数" || point || asked)) break;
    run += text;
  }
  return run;
}

/** The index of the morpheme that has the character at a position. */
function morphemeAt(morphemes: readonly Morpheme[], position: number): number {
  let end = 0;
  const index = morphemes.findIndex(({ text }) => {
    end += text.length;
    return end > position;
  });
  return index < 0 ? morphemes.length : index;
}

/** What is left of a morpheme whose first characters were read as part of a number. */
function overlap(morphemes: readonly Morpheme[], index: number, position: number): string {
  const start = morphemes.slice(0, index).reduce((sum, { text }) => sum + text.length, 0);
  return start < position ? (morphemes[index]?.text.slice(position - start) ?? "") : "";
}

/** Unknown words in kana are read as written, others character by character. */
function kanaOf({ text, spoken }: Morpheme): string {
  if (spoken !== undefined && isKana(spoken)) return spoken;
  if (isKana(text)) return text;
  const characters = [...text];
  if (characters.length < 2) return "";
  return characters
    .flatMap((character) => analyze(character))
    .map((morpheme) => (isKana(morpheme.spoken ?? "") ? morpheme.spoken : isKana(morpheme.text) ? morpheme.text : ""))
    .join("");
}

/** Endings and suffixes belong to the word before them, prefixes to the one after. */
function startsWord(previous: Morpheme | undefined, { text, part, detail }: Morpheme): boolean {
  if (previous === undefined || previous.part === "記号" || part === "記号") return true;
  if (previous.part === "接頭詞" || detail === "接尾" || detail === "接続助詞") return false;
  const inflects = previous.part === "動詞" || previous.part === "助動詞" || previous.part === "形容詞";
  return !(inflects && part === "助動詞" && text !== "です");
}

/** Divides the moras of a piece among its characters. A kana has its own mora, the others share those between. */
function spread({ characters, kana, start }: Piece): SpokenCharacter[] {
  const letters = [...characters];
  const moras = morasOf(kana);
  const symbols = letters.map(() => "");
  let from = 0;
  let waiting: number[] = [];
  const give = (to: number): void => {
    const count = to - from;
    for (const [place, index] of waiting.entries()) {
      const share = (edge: number): number => from + Math.round((edge / waiting.length) * count);
      symbols[index] = moras.slice(share(place), share(place + 1)).join("");
    }
    waiting = [];
    from = to;
  };
  for (const [index, letter] of letters.entries()) {
    if (isSmallKana(letter)) continue;
    const small = letters[index + 1] ?? "";
    const own = isKana(letter) ? morasOf(isSmallKana(small) ? letter + small : letter)[0] : undefined;
    const found = waiting.length === 0 ? from : moras.indexOf(own ?? "", from + waiting.length);
    if (own === undefined || found < 0 || found >= moras.length) waiting.push(index);
    else {
      give(found);
      symbols[index] = moras[found] ?? "";
      from = found + 1;
    }
  }
  give(moras.length);
  return symbols.map((spoken, index) => ({ symbols: spoken, start: start && index === 0 }));
}
