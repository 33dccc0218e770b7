import { crc32, deflateSync } from "node:zlib";
import { powers } from "./stft.ts";

const GAP = 6;

/** Spectrograms one above the other, low tones below, as a grey PNG. */
export function spectrogramPng(waves: readonly Float32Array[]): Buffer {
  const pictures = waves.map((wave) => powers(wave, 1024, 120));
  const width = Math.min(...pictures.map((frames) => frames.length));
  const rows: Buffer[] = [];
  for (const frames of pictures) {
    for (let bin = 512; bin >= 0; bin--) {
      const row = Buffer.alloc(width + 1);
      for (let x = 0; x < width; x++) {
        const decibels = 10 * Math.log10((frames[x]?.[bin] ?? 0) + 1e-10);
        row[x + 1] = Math.round(255 * Math.min(1, Math.max(0, (decibels + 60) / 95)));
      }
      rows.push(row);
    }
    for (let line = 0; line < GAP; line++) rows.push(Buffer.concat([Buffer.of(0), Buffer.alloc(width, 255)]));
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(rows.length, 4);
  head.writeUInt8(8, 8);
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    chunk("IHDR", head),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(kind: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(kind, "latin1"), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
