import type { Decoder } from "../audio/decode/index.ts";
import { createCostAverage } from "../pool/admission/cost-average.ts";
import type { SpeechJob } from "../pool/messages.ts";
import type { Pool } from "../pool/pool.ts";
import type { Service } from "../pool/remote/service.ts";
import type { InstalledRecognizers } from "../recognition/installed.ts";
import type { RecognitionJob } from "../recognition/jobs.ts";
import type { RecognitionPool } from "../recognition/recognition-pool.ts";
import { decodeInput } from "./decode-input.ts";

/** Chunks without audio that wait at one worker process. A stream that starts behind more of them would be late. */
const STARTING_PER_WORKER = 2;
/** A refusal by the number of running jobs would not be right for streams: admission has counted what they need. */
const NO_LIMIT = Number.MAX_SAFE_INTEGER;

/** Speaks with the engine of a pool. Its cost is measured, so that api nodes compare machines of different speed. */
export async function speechService(pool: Pool, assumedCost: number): Promise<Service> {
  const sampleRate = await pool.ready;
  const cost = createCostAverage({ prior: assumedCost, priorWeight: 5, halfLife: 120 });
  return {
    get workers() {
      return pool.pids().length;
    },
    get cost() {
      return cost.value;
    },
    about: { sampleRate },
    get maxStarting() {
      return STARTING_PER_WORKER * pool.pids().length;
    },
    maxRunning: NO_LIMIT,
    async *run(job, signal, onEnd) {
      let samples = 0;
      const measured = pool.synthesize(job as SpeechJob, signal, (report) => {
        if (report.outcome === "done") cost.add(report.busyMs / 1000, samples / sampleRate);
        onEnd(report);
      });
      for await (const window of measured) {
        samples += window.samples.length;
        yield window;
      }
    },
  };
}

export function recognitionService(
  pool: RecognitionPool,
  installed: () => InstalledRecognizers,
  workers: number,
): Service {
  return {
    ...oneAtATime(workers),
    get workers() {
      return installed().engines.length === 0 ? 0 : workers;
    },
    get about() {
      return { recognizers: installed().engines, tellsSpeakers: installed().spec.xvector !== undefined };
    },
    async *run(job, signal, onEnd) {
      const given = job as RecognitionJob;
      const live = "live" in given ? given.live : undefined;
      yield await pool.use(installed().spec, ({ run }) => run(given, signal, onEnd), { live });
    },
  };
}

export function decodeService(decoder: Decoder, workFolder: string | undefined): Service {
  return {
    ...oneAtATime(2),
    run: (job, signal, _, input) => decodeInput(decoder, job, input, workFolder, signal),
  };
}

/** Work with one result, as cloning has it. `maxRunning`: jobs from which on a further one is refused; one may wait by default. */
export function singleService(
  isInstalled: () => boolean,
  run: (job: unknown, signal: AbortSignal, input: AsyncIterable<Uint8Array>) => Promise<unknown>,
  maxRunning = 2,
): Service {
  return {
    ...oneAtATime(1),
    maxRunning,
    get workers() {
      return isInstalled() ? 1 : 0;
    },
    async *run(job, signal, _, input) {
      yield await run(job, signal, input);
    },
  };
}

/** Each worker has one job, and one more may wait, so that none is idle between two jobs. */
function oneAtATime(workers: number): Omit<Service, "run"> {
  return { workers, cost: 1, about: {}, maxStarting: NO_LIMIT, maxRunning: workers + 1 };
}
