import { createReadStream } from "node:fs";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Decoder } from "../audio/decode/index.ts";
import { AudioError } from "../errors.ts";
import type { DecodedPart, RemoteDecodeJob } from "../pool/remote/remote-decoder.ts";

/** The largest recording that is taken from an api node, which has limits of its own. */
const MAX_INPUT_BYTES = 2 ** 30;
const PART_BYTES = 128 * 1024;

/** Decodes a recording that arrives in parts. Its files lie in a folder of its own and are removed in every case. */
export async function* decodeInput(
  decoder: Decoder,
  job: unknown,
  input: AsyncIterable<Uint8Array>,
  workFolder: string | undefined,
  signal: AbortSignal,
  maxBytes = MAX_INPUT_BYTES,
): AsyncGenerator<DecodedPart> {
  const { options } = job as RemoteDecodeJob;
  const folder = await mkdtemp(join(workFolder ?? tmpdir(), "parlance-decode-"));
  try {
    const source = join(folder, "recording");
    const target = join(folder, "samples");
    await store(source, input, maxBytes);
    const audio = await decoder.decode(source, target, options, signal);
    for await (const part of createReadStream(target, { highWaterMark: PART_BYTES })) yield part as Uint8Array;
    yield { audio };
  } finally {
    await rm(folder, { recursive: true, force: true });
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
