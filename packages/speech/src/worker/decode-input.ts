import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Decoder } from "../audio/decode/index.ts";
import { AudioError } from "../errors.ts";
import { createTemporaryFolder } from "../lib/temporary-folder.ts";
import type { DecodedPart, RemoteDecodeJob } from "../pool/remote/remote-decoder.ts";

/** The largest recording that is taken from an api node, which has limits of its own. */
const MAX_INPUT_BYTES = 2 ** 30;
const PART_BYTES = 128 * 1024;

/** Decodes a recording that arrives in parts. Its files lie in a folder of its own, which is removed when the job ends or fails. */
export async function* decodeInput(
  decoder: Decoder,
  job: unknown,
  input: AsyncIterable<Uint8Array>,
  workFolder: string | undefined,
  signal: AbortSignal,
  maxBytes = MAX_INPUT_BYTES,
): AsyncGenerator<DecodedPart> {
  const { options } = job as RemoteDecodeJob;
  const folder = await createTemporaryFolder("parlance-decode-", workFolder);
  try {
    const source = join(folder.path, "recording");
    const target = join(folder.path, "samples");
    await store(source, input, maxBytes);
    const audio = await decoder.decode(source, target, options, signal);
    for await (const part of createReadStream(target, { highWaterMark: PART_BYTES })) yield part as Uint8Array;
    yield { audio };
  } finally {
    await folder.remove();
  }
}

async function store(path: string, input: AsyncIterable<Uint8Array>, maxBytes: number): Promise<void> {
  const file = await open(path, "w");
  try {
    let size = 0;
    for await (const bytes of input) {
      size += bytes.length;
      if (size > maxBytes) throw new AudioError("too_costly", "the recording is larger than any that is accepted");
      await file.writeFile(bytes);
    }
  } finally {
    await file.close();
  }
}
