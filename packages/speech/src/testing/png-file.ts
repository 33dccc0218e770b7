import { crc32, deflateSync } from "node:zlib";

/** A PNG of a colour gradient, with a remark in it, and as many empty ones as wanted. */
export function pngFile(
  width: number,
  height: number,
  options: { readonly alpha?: boolean; readonly claim?: number; readonly remarks?: number } = {},
): Buffer {
  const { alpha = false, claim = width, remarks = 0 } = options;
  const channels = alpha ? 4 : 3;
  const rows = Buffer.alloc(height * (1 + width * channels));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * (1 + width * channels) + 1 + x * channels;
      rows[at] = Math.floor((255 * x) / width);
      rows[at + 1] = Math.floor((255 * y) / height);
      rows[at + 2] = 128;
      if (alpha) rows[at + 3] = 200;
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(claim, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, alpha ? 6 : 2, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("tEXt", Buffer.from("Comment\0<script>alert(1)</script>")),
    Buffer.concat(Array.from({ length: remarks }, (_, i) => chunk("tEXt", Buffer.from(`${i}\0`)))),
    chunk("IDAT", deflateSync(rows)),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
