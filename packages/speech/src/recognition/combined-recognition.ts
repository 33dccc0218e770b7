import type { RecognizerName } from "../engines/registry.ts";
import type { Cluster } from "../pool/remote/cluster.ts";
import { isElsewhereBetter, isRefusal } from "../pool/remote/combined-pool.ts";
import type { InstalledRecognizers } from "./installed.ts";
import type { RecognitionJob } from "./jobs.ts";
import type { RecognitionPool, RecognitionWorkers } from "./recognition-pool.ts";
import { createRemoteRecognition, RECOGNITION_KIND, remoteRecognizers } from "./remote-recognition.ts";

/**
 * The recognition workers of this machine and those of the cluster as one pool. A job runs here while a worker is idle, and
 * then wherever fewer jobs wait. Jobs of a millisecond stay here.
 *
 * @param installed The recognizers of this machine.
 */
export function createCombinedRecognition(
  own: RecognitionPool,
  installed: () => InstalledRecognizers,
  cluster: Cluster,
): RecognitionPool {
  const remote = createRemoteRecognition(cluster, {
    noMachineMs: () => (installed().engines.length > 0 ? 0 : undefined),
  });
  let running = 0;

  const isInstalled = (job: RecognitionJob): boolean => {
    const { engines, spec } = installed();
    return canRun(job, engines, spec.xvector !== undefined);
  };
  const isBetterElsewhere = (job: RecognitionJob, { count }: RecognitionWorkers): boolean =>
    job.type !== "follow-speech" &&
    job.type !== "prepare" &&
    canRun(job, remoteRecognizers(cluster), cluster.info(RECOGNITION_KIND)?.tellsSpeakers === true) &&
    isElsewhereBetter(running, count, cluster.load(RECOGNITION_KIND));

  const combine = (ownWorkers: RecognitionWorkers, remoteWorkers: RecognitionWorkers): RecognitionWorkers => ({
    get count() {
      return ownWorkers.count + cluster.workers(RECOGNITION_KIND);
    },
    async run(job, signal, onEnd) {
      if (!isInstalled(job)) return remoteWorkers.run(job, signal, onEnd);
      if (isBetterElsewhere(job, ownWorkers)) {
        try {
          return await remoteWorkers.run(job, signal, onEnd);
        } catch (error) {
          if (!isRefusal(error)) throw error;
        }
      }
      running++;
      try {
        return await ownWorkers.run(job, signal, onEnd);
      } finally {
        running--;
      }
    },
  });

  return {
    use: (spec, work, options) =>
      remote.use(spec, (remoteWorkers) =>
        installed().engines.length === 0
          ? work(remoteWorkers)
          : own.use(spec, (ownWorkers) => work(combine(ownWorkers, remoteWorkers)), options),
      ),
    pids: own.pids,
    close: own.close,
  };
}

function canRun(job: RecognitionJob, engines: readonly RecognizerName[], tellsSpeakers: boolean): boolean {
  if (job.type === "embed-voices") return tellsSpeakers;
  const engine = "engine" in job ? job.engine : undefined;
  return engine === undefined ? engines.length > 0 : engines.includes(engine);
}
