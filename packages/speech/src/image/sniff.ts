export type ImageKind = "png" | "jpeg" | "webp";

/** The type of a picture by its first bytes. */
export function sniffImage(bytes: Uint8Array): ImageKind | undefined {
  const starts = (...expected: number[]): boolean => expected.every((value, i) => bytes[i] === value);
  if (starts(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return "png";
  if (starts(0xff, 0xd8, 0xff)) return "jpeg";
  const text = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  return /^RIFF[\s\S]{4}WEBP$/.test(text) ? "webp" : undefined;
}
