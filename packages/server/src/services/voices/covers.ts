import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { apiError } from "@parlance/protocol";
import { cleanImage, ImageError } from "@parlance/speech";
import type { Cover } from "./voices.ts";

/** Decodes and re-encodes a picture. Throws the 400 that describes what is wrong with it. */
export async function readCover(path: string, signal: AbortSignal): Promise<Cover> {
  try {
    const { type, bytes } = await cleanImage(await readFile(path), signal);
    return { type, bytes: Buffer.from(bytes), name: createHash("sha256").update(bytes).digest("hex").slice(0, 16) };
  } catch (error) {
    throw error instanceof ImageError ? apiError("image_unusable", { reason: error.message }, { cause: error }) : error;
  }
}
