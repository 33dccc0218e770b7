/** Extracts the speech of "Beneath a Steel Sky", which is compressed, by the character who says it. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { wav } from "./bare-speech.ts";

const RATE = 11_025;
const ENTRY_BYTES = 8;
const HEADER_BYTES = 22;
const SIGNATURE = "RNC\u0001";
/** Recordings have the number of their text, counted over all sections, plus this. */
const SPEECH_FILES = 50_000;
/** The number of texts before each section; a text is (section << 12) + its number in the section. */
const TEXTS_BEFORE = [0, 600, 1100, 2430, 3380, 4530, 5080, 5230];
const SCRIPT_FILES = [60_400, 60_401, 60_402, 60_403, 60_404, 60_405, 60_406];
/** "Push a variable", "push a number" and "call a function of the engine" in the compiled scripts. */
const PUSH_VARIABLE = 0;
const PUSH = 2;
const CALL = 11;
/** The functions in which a character speaks: with or without a direction, waiting or not. */
const SPEAK = [35, 36, 37, 38].map((number) => 4 * number);
/** The variables of who acts, which is the main character in dialogues, and of the one spoken to. */
const ACTING = 48;
const SPOKEN_TO = 480;

/** Writes CHARACTER/TEXT.wav; a character is `hero`, its number in the scripts, or the script in which it is spoken to (FILE-SCRIPT). */
export function unpackSteelSky(root: string, target: string): void {
  const files = gameFiles(join(root, "usr/share/scummvm/beneath-a-steel-sky"));
  for (const [text, character] of speakers(files)) {
    const number = SPEECH_FILES + (TEXTS_BEFORE[text >> 12] ?? 0) + (text & 0xfff);
    const file = files.get(number);
    if (!file) continue;
    mkdirSync(join(target, character), { recursive: true });
    writeFileSync(join(target, character, `${number}.wav`), wav(contentOf(file), { format: 1, rate: RATE, bits: 8 }));
  }
}

/** The files of the game by number: sky.dnr is the table of sky.dsk. */
function gameFiles(folder: string): Map<number, Buffer> {
  const table = readFileSync(join(folder, "sky.dnr"));
  const disk = readFileSync(join(folder, "sky.dsk"));
  const files = new Map<number, Buffer>();
  for (let at = 4; at < 4 + ENTRY_BYTES * table.readUInt32LE(0); at += ENTRY_BYTES) {
    const place = table.readUIntLE(at + 2, 3);
    const from = place & 0x800000 ? (place & 0x7fffff) << 4 : place;
    files.set(table.readUInt16LE(at), disk.subarray(from, from + (table.readUIntLE(at + 5, 3) & 0x3fffff)));
  }
  return files;
}

/** The character who says each text: the scripts push the character, the text and an animation, and call. */
function speakers(files: ReadonlyMap<number, Buffer>): Map<number, string> {
  const found = new Map<number, string>();
  for (const number of SCRIPT_FILES) {
    const script = contentOf(files.get(number) ?? Buffer.alloc(HEADER_BYTES));
    const starts = scriptStarts(script);
    for (let at = 0; at + 18 <= script.length; at += 2) {
      const word = (index: number) => script.readUInt16LE(at + 2 * index);
      const called = word(6) === CALL && word(7) === 3 && SPEAK.includes(word(8));
      if (!called || word(2) !== PUSH || word(4) !== PUSH) continue;
      if (word(0) === PUSH) found.set(word(3), String(word(1)));
      if (word(0) !== PUSH_VARIABLE) continue;
      if (word(1) === ACTING) found.set(word(3), "hero");
      if (word(1) === SPOKEN_TO)
        found.set(word(3), `${number}-${starts.findLast(({ from }) => from <= at)?.script ?? 0}`);
    }
  }
  return found;
}

/** A file of scripts begins with the place of each, in words. */
function scriptStarts(script: Buffer): { readonly from: number; readonly script: number }[] {
  const starts: { from: number; script: number }[] = [];
  let end = script.length;
  for (let at = 0; at + 2 <= end; at += 2) {
    const from = 2 * script.readUInt16LE(at);
    starts.push({ from, script: at / 2 });
    if (from > 0) end = Math.min(end, from);
  }
  return starts.sort((a, b) => a.from - b.from);
}

function contentOf(file: Buffer): Buffer {
  for (const at of [0, HEADER_BYTES]) {
    if (file.toString("latin1", at, at + 4) === SIGNATURE) return decompressed(file.subarray(at));
  }
  return file.subarray(HEADER_BYTES);
}

/** Rob Northen Compression, method 1: Huffman codes for the lengths of literals, and for distances and lengths of copies. */
function decompressed(input: Buffer): Buffer {
  const output = Buffer.alloc(input.readUInt32BE(4));
  const source = { input, at: 18, buffer: 0, held: 0 };
  let to = 0;
  bits(source, 2);
  for (let block = 0; block < input.readUInt8(17); block++) {
    const [literals, distances, lengths] = [codes(source), codes(source), codes(source)];
    for (let left = bits(source, 16); left > 0; left--) {
      const literal = value(source, literals);
      if (literal > 0) input.copy(output, to, source.at, source.at + literal);
      to += literal;
      source.at += literal;
      if (left === 1) break;
      const distance = value(source, distances) + 1;
      for (let length = value(source, lengths) + 2; length > 0; length--, to++) output[to] = output[to - distance] ?? 0;
    }
  }
  return output;
}

interface Source {
  readonly input: Buffer;
  at: number;
  buffer: number;
  held: number;
}

/** Least significant bit first, from words of 16 bits; literals begin after the word that was read last. */
function bits(source: Source, count: number): number {
  let result = 0;
  for (let i = 0; i < count; i++) {
    if (source.held === 0) {
      source.buffer = (source.input[source.at] ?? 0) | ((source.input[source.at + 1] ?? 0) << 8);
      source.at += 2;
      source.held = 16;
    }
    result |= (source.buffer & 1) << i;
    source.buffer >>= 1;
    source.held--;
  }
  return result;
}

/** Canonical Huffman codes: the symbol by length and code. */
function codes(source: Source): Map<string, number> {
  const lengths = Array.from({ length: bits(source, 5) }, () => bits(source, 4));
  const table = new Map<string, number>();
  let code = 0;
  for (let length = 1; length <= 15; length++, code <<= 1) {
    for (const [symbol, own] of lengths.entries()) {
      if (own === length) table.set(`${length}:${code++}`, symbol);
    }
  }
  return table;
}

function value(source: Source, table: ReadonlyMap<string, number>): number {
  for (let length = 1, code = 0; length <= 15; length++) {
    code = (code << 1) | bits(source, 1);
    const symbol = table.get(`${length}:${code}`);
    if (symbol !== undefined) return symbol < 2 ? symbol : (1 << (symbol - 1)) | bits(source, symbol - 1);
  }
  throw new Error("the compressed data is damaged");
}
