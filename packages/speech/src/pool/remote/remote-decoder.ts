import { createReadStream } from "node:fs";
import { open, rm } from "node:fs/promises";
import type { DecodedAudio, DecodeOptions, Decoder } from "../../audio/decode/index.ts";
import { SpeechError } from "../../errors.ts";
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

/** Decodes recordings on the machines of a cluster: they are sent in parts, as are their samples. */
export function createRemoteDecoder(cluster: Cluster): Decoder {
  return {
    async decode(source, target, options, signal) {
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
    },
    processes: () => [],
    close: async () => {},
  };
}
