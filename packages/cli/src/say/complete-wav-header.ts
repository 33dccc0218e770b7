import type { FileHandle } from "node:fs/promises";

/** Fills in the lengths in the header of a streamed WAV file. Other files are not changed. */
export async function completeWavHeader(file: FileHandle): Promise<void> {
  const { size } = await file.stat();
  const header = Buffer.alloc(4096);
  const { bytesRead } = await file.read(header, 0, header.length, 0);
  if (bytesRead < 12 || header.toString("latin1", 0, 4) !== "RIFF" || header.toString("latin1", 8, 12) !== "WAVE")
    return;
  for (let at = 12; at + 8 <= bytesRead; ) {
    const length = header.readUInt32LE(at + 4);
    if (header.toString("latin1", at, at + 4) === "data") {
      await writeUInt32(file, 4, size - 8);
      await writeUInt32(file, at + 4, size - at - 8);
      return;
    }
    at += 8 + length + (length % 2);
  }
}

async function writeUInt32(file: FileHandle, at: number, value: number): Promise<void> {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(Math.min(value, 0xffff_ffff));
  await file.write(bytes, 0, 4, at);
}
