import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { cloningEngine } from "../../engines/registry.ts";

const VERSION_LENGTH = 16;

/** Changes with the weights: embeddings of another version belong to another decoder. */
export async function voiceEncoderVersion(file: URL = cloningEngine.cloning.encoder): Promise<string> {
  return createHash("sha256")
    .update(await readFile(file))
    .digest("hex")
    .slice(0, VERSION_LENGTH);
}
