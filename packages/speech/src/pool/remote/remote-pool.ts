import { setTimeout as sleep } from "node:timers/promises";
import type { SpeechWindow } from "../../engines/engine.ts";
import type { EngineName } from "../../engines/registry.ts";
import type { Pool } from "../pool.ts";
import type { Cluster } from "./cluster.ts";
import { KOKORO_CLONES } from "./frames.ts";
import { noMachine } from "./refusals.ts";

export const speechKind = (engine: EngineName): string => `speech.${engine}`;

export interface NoMachineOptions {
  /** How long a job waits while no machine does its kind of work; asked for each job. */
  readonly noMachineMs?: () => number | undefined;
}

/** How long a request waits for the first machine that has the engine. */
const FIRST_MACHINE_MS = 3_000;
const POLL_MS = 50;

/** The worker processes of one synthesis engine on all machines of the cluster. */
export function createRemotePool(engine: EngineName, cluster: Cluster, options: NoMachineOptions = {}): Pool {
  const kind = speechKind(engine);
  const closing = new AbortController();

  async function sampleRate(): Promise<number> {
    const deadline = performance.now() + FIRST_MACHINE_MS;
    for (;;) {
      const rate = cluster.info(kind)?.sampleRate;
      if (rate !== undefined) return rate;
      if (performance.now() > deadline || closing.signal.aborted) throw noMachine(kind);
      await sleep(POLL_MS, undefined, { signal: closing.signal }).catch(() => {});
    }
  }

  return {
    get ready() {
      return sampleRate();
    },
    synthesize: (job, signal, onEnd) =>
      // A stream that was accepted goes on; a new one is refused where no machine has room.
      cluster.run(
        kind,
        job,
        {
          noMachineMs: options.noMachineMs?.(),
          whenBusy: job.first === true ? "refuse" : "force",
          version: job.voice.prosody === undefined ? undefined : KOKORO_CLONES,
        },
        signal,
        onEnd,
      ) as AsyncIterable<SpeechWindow>,
    pids: () => [],
    queued: () => cluster.queued(kind),
    async close() {
      closing.abort();
    },
  };
}
