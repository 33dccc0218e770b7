import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";

export interface Digest {
  readonly algorithm: "sha512" | "sha384" | "sha256" | "sha1";
  readonly hex: string;
}

export interface FileDigest extends Digest {
  readonly bytes: number;
}

const strongestFirst = ["sha512", "sha384", "sha256", "sha1"] as const;

/** The strongest hash of a subresource-integrity string ("sha512-… sha1-…"). */
export function digestOfIntegrity(integrity: string): Digest | undefined {
  const entries = integrity.trim().split(/\s+/);
  for (const algorithm of strongestFirst) {
    const entry = entries.find((candidate) => candidate.startsWith(`${algorithm}-`));
    const base64 = entry?.slice(algorithm.length + 1).split("?")[0];
    if (base64) return { algorithm, hex: Buffer.from(base64, "base64").toString("hex") };
  }
  return undefined;
}

export async function digestFile(
  path: string,
  algorithm: Digest["algorithm"],
  signal: AbortSignal,
): Promise<FileDigest> {
  const hash = createHash(algorithm);
  let bytes = 0;
  for await (const chunk of createReadStream(path, { signal, highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { algorithm, hex: hash.digest("hex"), bytes };
}

/** "expected sha256 ab… (12 bytes), got sha256 cd… (3 bytes)" */
export function describeMismatch(expected: Digest & { readonly bytes?: number }, got: FileDigest): string {
  const size = expected.bytes === undefined ? "" : ` (${expected.bytes} bytes)`;
  return `expected ${expected.algorithm} ${expected.hex}${size}, got ${got.algorithm} ${got.hex} (${got.bytes} bytes)`;
}
