import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import type { DecodedAudio, DecodeOptions, Decoder } from "../../audio/decode/index.ts";
import { SpeechError } from "../../errors.ts";
import { createSlots } from "../../lib/slots.ts";
import type { Cluster } from "./cluster.ts";

export const DECODE_KIND = "decode";

/** A job of the kind `decode`. Its input is the recording. */
export interface RemoteDecodeJob {
  readonly options: DecodeOptions;
}

/** Its parts: the samples in order, then what was decoded. */
export type DecodedPart = Uint8Array | { readonly audio: DecodedAudio };

/** Bytes of a recording in one message. */
const INPUT_BYTES = 128 * 1024;
/** Parts of samples that may be under way. */
const PARTS_AHEAD = 8;
/** Files that may wait. */
const MAX_WAITING = 64;
const RETRY_SECONDS = 2;

/** Decodes recordings on the machines of a cluster: they are sent in parts, as are their samples. */
export function createRemoteDecoder(cluster: Cluster): Decoder {
  // Machines take jobs in the order of arrival, so the owners take turns here.
  const slots = createSlots({
    // Without a machine each file is refused after the same short time.
    capacity: () => (cluster.workers(DECODE_KIND) === 0 ? Number.POSITIVE_INFINITY : cluster.workers(DECODE_KIND) + 1),
    maxWaiting: MAX_WAITING,
    refusal: () => new SpeechError("overloaded", "too many recordings wait to be decoded", RETRY_SECONDS),
  });
  return {
    decode(source, target, options, signal) {
      const work = () => decodeRemotely(cluster, source, target, options, signal);
      return slots.run(work, signal, { owner: options.owner });
    },
    processes: () => [],
    close: async () => {},
  };
}

async function decodeRemotely(
  cluster: Cluster,
  source: string,
  target: string,
  options: DecodeOptions,
  signal: AbortSignal,
) {
  const job: RemoteDecodeJob = { options };
  const input = () => createReadStream(source, { highWaterMark: INPUT_BYTES }) as AsyncIterable<Uint8Array>;
  const run = { whenBusy: "wait", partsAhead: PARTS_AHEAD, input } as const;
  const file = await open(target, "w");
  try {
    let audio: DecodedAudio | undefined;
    for await (const part of cluster.run(DECODE_KIND, job, run, signal) as AsyncIterable<DecodedPart>) {
      if (part instanceof Uint8Array) await file.writeFile(part);
      else audio = part.audio;
    }
    if (audio) return audio;
    throw new SpeechError("failed", "a machine has decoded nothing");
  } catch (error) {
    await rm(target, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}
