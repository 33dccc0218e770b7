import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import type { Cluster } from "../../../pool/remote/cluster.ts";
import { runSingle } from "../../../pool/remote/run-single.ts";
import type { RefinementJob } from "./refinement.ts";
import type { RefinementPool } from "./refinement-pool.ts";

/** Machines of earlier versions do not offer this kind of work. */
export const REFINEMENT_KIND = "refinement";

/** A job of the kind `refinement`. Its input is the samples of all recordings, one after the other. */
export interface RemoteRefinementJob extends Omit<RefinementJob, "recordings"> {
  /** The length of each recording in bytes. */
  readonly recordingBytes: readonly number[];
}

/** No client waits for it, and a machine that restarts is back within this time. */
const NO_MACHINE_MS = 5 * 60_000;

/** Bytes of a recording in one message. */
const INPUT_BYTES = 128 * 1024;

/** Those of the machines of a cluster, which load models of their own. */
export function createRemoteRefinementPool(cluster: Cluster): RefinementPool {
  return {
    async refine(_, { recordings, ...rest }, signal) {
      const paths = recordings.map(({ path }) => path);
      const recordingBytes = await Promise.all(paths.map(async (path) => (await stat(path)).size));
      const job: RemoteRefinementJob = { ...rest, recordingBytes };
      // All recordings of a voice are longer than a job may be.
      const input = () => bytesOf(paths);
      // It has no output before its end, so a machine that is silent for a moment would cost minutes of work.
      const options = { whenBusy: "wait", input, noMachineMs: NO_MACHINE_MS, keepUntilLost: true } as const;
      return runSingle(cluster, REFINEMENT_KIND, job, options, signal);
    },
    pids: () => [],
    close: async () => {},
  };
}

async function* bytesOf(paths: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const path of paths) {
    for await (const bytes of createReadStream(path, { highWaterMark: INPUT_BYTES })) yield bytes as Uint8Array;
  }
}
