/** Extracts speech from files that no decoder supports: of old adventure games and of Asterisk. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

interface Entry {
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * "Flight of the Amazon Queen": one file that begins with a table of what is in it. NN….SB is speech (as MP3) of the
 * dialogue of that number, by the main character (J) or the other one (P); NAME.DOG is a dialogue, with its number.
 */
export function unpackQueen(root: string, target: string): void {
  const file = join(root, "usr/share/scummvm/flight-of-the-amazon-queen/queen.1c");
  const entries = entriesOf(readFileSync(file));
  const people = new Map<number, string>();
  for (const { name, bytes } of entries) {
    const [, person] = /^([A-Z]+)\d*\.DOG$/.exec(name) ?? [];
    if (person) people.set(bytes.readInt16BE(24), person.toLowerCase());
  }
  for (const { name, bytes } of entries) {
    const [, dialogue, side] = /^(\d\d)\w{4}([JP])\w*\.SB$/.exec(name) ?? [];
    const person = side === "J" ? "joe" : people.get(Number(dialogue));
    if (!dialogue || !person) continue;
    mkdirSync(join(target, person), { recursive: true });
    writeFileSync(join(target, person, `${name}.mp3`), bytes);
  }
}

const TABLE_AT = 15;
const NAME_BYTES = 12;
const ENTRY_BYTES = 21;

function entriesOf(bytes: Buffer): Entry[] {
  return Array.from({ length: bytes.readUInt16BE(TABLE_AT - 2) }, (_, i) => {
    const at = TABLE_AT + i * ENTRY_BYTES;
    const [name = ""] = bytes.toString("latin1", at, at + NAME_BYTES).split("\0");
    const from = bytes.readUInt32BE(at + NAME_BYTES + 1);
    return { name, bytes: bytes.subarray(from, from + bytes.readUInt32BE(at + NAME_BYTES + 5)) };
  });
}

/** "Drascula": 8-bit samples without a header, in files named by the speaker (none: the main character) and a number. */
export function unpackDrascula(root: string, target: string): void {
  const folder = join(root, "usr/share/scummvm/drascula/en");
  for (const name of readdirSync(folder)) {
    const [match, person] = /^([A-Z]*)\d+\.ALS$/.exec(name) ?? [];
    if (!match) continue;
    const who = person?.toLowerCase() || "hero";
    mkdirSync(join(target, who), { recursive: true });
    writeFileSync(
      join(target, who, `${name}.wav`),
      wav(readFileSync(join(folder, name)), { format: 1, rate: 11_025, bits: 8 }),
    );
  }
}

/** Asterisk: G.722 (16 kHz, much better than the same as WAV at 8 kHz) and GSM, both without any header. */
export function unpackAsterisk(root: string, target: string): void {
  mkdirSync(target);
  for (const path of readdirSync(root, { recursive: true, encoding: "utf8" })) {
    if (!/\.(?:g722|gsm)$/.test(path)) continue;
    const bytes = readFileSync(join(root, path));
    // Prompts in different folders may have the same name.
    const name = `${path.split("/").at(-2)}-${basename(path)}`;
    if (path.endsWith(".gsm")) writeFileSync(join(target, `${name}.aifc`), gsm(bytes));
    else writeFileSync(join(target, `${name}.wav`), wav(bytes, { format: 0x028f, rate: 16_000, bits: 4 }));
  }
}

/** 16 bits per sample. */
export function pcm(samples: Float32Array): Buffer {
  const whole = Int16Array.from(samples, (sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32767));
  return Buffer.from(whole.buffer);
}

/** One channel. */
export function wav(data: Buffer, { format, rate, bits }: { format: number; rate: number; bits: number }): Buffer {
  const header = Buffer.alloc(44);
  header.write("RIFF", 0);
  header.writeUInt32LE(data.length + 36, 4);
  header.write("WAVEfmt ", 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(format, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(rate, 24);
  header.writeUInt32LE((rate * bits) / 8, 28);
  header.writeUInt16LE(Math.ceil(bits / 8), 32);
  header.writeUInt16LE(bits, 34);
  header.write("data", 36);
  header.writeUInt32LE(data.length, 40);
  return Buffer.concat([header, data]);
}

const GSM_FRAME_BYTES = 33;
const GSM_FRAME_SAMPLES = 160;

/** WAV knows only Microsoft's variant of GSM, AIFF-C knows this one. */
function gsm(data: Buffer): Buffer {
  const format = Buffer.alloc(24);
  format.writeUInt16BE(1, 0);
  format.writeUInt32BE(Math.floor(data.length / GSM_FRAME_BYTES) * GSM_FRAME_SAMPLES, 2);
  format.writeUInt16BE(16, 6);
  // 8000 as a number of 80 bits.
  Buffer.from("400bfa00000000000000", "hex").copy(format, 8);
  format.write("GSM ", 18);
  const version = Buffer.from("a2805140", "hex");
  const sound = Buffer.concat([Buffer.alloc(8), data]);
  return chunk("FORM", [
    Buffer.from("AIFC"),
    chunk("FVER", [version]),
    chunk("COMM", [format]),
    chunk("SSND", [sound]),
  ]);
}

function chunk(id: string, parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const header = Buffer.alloc(8);
  header.write(id, 0);
  header.writeUInt32BE(content.length, 4);
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)]);
}
