import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { cloningEngine } from "../../engines/registry.ts";

const VERSION_LENGTH = 16;

/** The networks that make the timbre of a cloned voice, and the one that speaks with it. */
export type EncoderFiles = Pick<typeof cloningEngine.cloning, "encoder" | "speakerNetwork" | "decoder">;

/**
 * Changes with the weights, and with the number of decoder offsets: numbers of another version belong to another decoder. The
 * weights of the speaker network count, since its vector is an input of the encoder.
 */
export function voiceEncoderVersion(files: EncoderFiles = cloningEngine.cloning): Promise<string> {
  return versionOf([files.encoder, files.speakerNetwork, files.decoder], [cloningEngine.cloning.decoderOffsetsSize]);
}

/** Changes with the weights: vectors of another version are of no use to the voice encoder. */
export function speakerNetworkVersion(files: Pick<EncoderFiles, "speakerNetwork"> = cloningEngine.cloning) {
  return versionOf([files.speakerNetwork]);
}

async function versionOf(files: readonly URL[], sizes: readonly number[] = []): Promise<string> {
  const hash = createHash("sha256");
  for (const file of files) hash.update(await readFile(file));
  for (const size of sizes) hash.update(String(size));
  return hash.digest("hex").slice(0, VERSION_LENGTH);
}
