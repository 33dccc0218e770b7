import type { EngineName } from "../../engines/registry.ts";
import { SpeechError } from "../../errors.ts";
import { createSlots } from "../../lib/slots.ts";
import { type CapacityView, createCapacityQueue } from "./capacity-queue.ts";
import { type CostAverage, createCostAverage, createEventLoopCost } from "./cost-average.ts";
import { createRequestAdmission } from "./request-admission.ts";
import { createRetryForecast } from "./retry-forecast.ts";
import { type Guarantee, hasCapacity, isAtLeast, type StreamNeed } from "./schedulability.ts";
import { type AdmittedStream, createAdmittedStream, type Place, type StreamRequest } from "./stream-demand.ts";

/**
 * Accepts as many streams as can be kept ahead of their playback, and no more. One rule for a whole text and for one that is
 * still being written: what is known of the text counts, from its first chunk on.
 */
export interface StreamAdmission {
  /** Waits a short time for capacity, then throws `overloaded`. For a check before other work starts. */
  waitForCapacity(request: StreamRequest, signal: AbortSignal): Promise<void>;
  /** A stream that is accepted or refused with its first chunk. */
  join(request: StreamRequest): AdmittedStream;
  /** What the accepted streams still need of the workers. */
  needs(): readonly StreamNeed[];
  /** The share of the workers' capacity that is used by streams of this node and of others; 1 when no further one fits. */
  usedRatio(): number;
}

export interface StreamAdmissionOptions {
  /** The maximum number of streams, whatever they need. */
  readonly queue: number;
  /** When false, only the number of streams is limited. */
  readonly keepAhead: boolean;
  readonly engines: ReadonlyMap<EngineName, EngineCapacity>;
  /** Streams that other nodes have accepted for the same workers. */
  readonly otherNeeds?: (() => readonly StreamNeed[]) | undefined;
  /** Called at once for each stream that is accepted. */
  readonly onAccepted?: ((need: StreamNeed) => void) | undefined;
  /** The refusal of every request while nothing can speak at all. */
  readonly unavailable?: ((engines: readonly EngineName[]) => SpeechError | undefined) | undefined;
  readonly now?: () => number;
  /** Milliseconds that the event loop has been busy. */
  readonly loopActiveMs?: () => number;
  readonly maxWaitMs?: typeof MAX_WAIT_MS;
}

export interface EngineCapacity {
  /** May change while machines come and go. */
  readonly workers: number;
  /** Seconds that a worker computes for one second of audio, as assumed before it was measured. */
  readonly cost: number;
}

/** The rest is a reserve for what cannot be predicted: window sizes, several chunks on one worker, other work on the machine. */
const GUARANTEE: Guarantee = { capacity: 0.7, lead: 5, within: 2 };
const MAX_RETRY_SECONDS = 60;
/** When a worker has had a stream's chunk for this long without any audio, the machine is overloaded. */
const LATE_MS = 500;
/** Streams that may start at a time, for each worker. */
const STARTING_PER_WORKER = 4;
/** In all, however many workers there are: this process encodes and sends their audio in one thread. */
const MAX_STARTING = 16;
/**
 * A stream that would wait longer for capacity or for its start would be late: it is refused instead. When all streams have
 * just arrived, none has to be kept ahead yet, so a burst may take longer.
 */
const MAX_WAIT_MS = { usual: 120, burst: 600 };
const JUST_ARRIVED_MS = 500;

export function createStreamAdmission(options: StreamAdmissionOptions): StreamAdmission {
  const now = options.now ?? (() => performance.now());
  const loopActiveMs = options.loopActiveMs ?? (() => performance.eventLoopUtilization().active);
  const requests = createRequestAdmission(options.queue);
  const streams = new Set<AdmittedStream>();
  /** The streams with a listening client, and when they arrived. */
  const clientStreams = new Map<AdmittedStream, number>();
  /** The needs of accepted streams that wait for their start: the next request is compared with them. */
  const starting = new Set<StreamNeed>();
  const costs = new Map<EngineName, CostAverage>(
    [...options.engines].map(([engine, { cost }]) => [
      engine,
      createCostAverage({ prior: cost, priorWeight: 5, halfLife: 120 }),
    ]),
  );
  const workersOf = (engine: EngineName): number => Math.max(1, options.engines.get(engine)?.workers ?? 1);
  const eventLoopCost = createEventLoopCost(now, loopActiveMs);
  const secondsPerCharacter = createCostAverage({ prior: 0.066, priorWeight: 200, halfLife: 5_000 });
  const maxWorkers = (): number => Math.max(1, ...[...options.engines.values()].map(({ workers }) => workers));
  // A stream that has just started has little to play. Workers serve it before others start, so those would be late if
  // many started at the same moment.
  const starts = createSlots({
    capacity: () => Math.min(MAX_STARTING, STARTING_PER_WORKER * maxWorkers()),
    refusal: () => new SpeechError("overloaded", "too many streams begin at the same time", 1),
  });
  const newForecast = () => createRetryForecast({ guarantee: GUARANTEE, maxSeconds: MAX_RETRY_SECONDS, now });
  const forecasts = { workers: newForecast(), eventLoop: newForecast() };

  /** Of the workers. */
  const shareOf = (engines: readonly EngineName[]): number =>
    Math.max(...engines.map((engine) => (costs.get(engine)?.value ?? 0) / workersOf(engine)));
  /** The same stream as a need of this node's event loop, which streams of other nodes do not use. */
  const ofEventLoop = (need: StreamNeed): StreamNeed => ({ ...need, share: eventLoopCost.value });

  /** Streams of other nodes with audio to play have not just arrived. */
  const isKeptAhead = ({ ahead, left }: StreamNeed): boolean => left > 0 && ahead > JUST_ARRIVED_MS / 1000;
  const isBurst = (): boolean =>
    [...clientStreams].every(
      ([stream, since]) => now() - since < JUST_ARRIVED_MS || (stream.need()?.left ?? 0) === 0,
    ) && !options.otherNeeds?.().some(isKeptAhead);

  const ownNeeds = (): StreamNeed[] => [
    ...starting,
    ...[...clientStreams.keys()].flatMap((stream) => stream.need() ?? []),
  ];

  const unfinished = (needs: readonly StreamNeed[]): StreamNeed[] => needs.filter((need) => need.left > 0);

  function view(): CapacityView {
    for (const stream of streams) stream.releaseIfIdle();
    const own = unfinished(ownNeeds());
    const ofWorkers = [...own, ...unfinished(options.otherNeeds?.() ?? [])];
    const ofLoop = own.map(ofEventLoop);
    const isBehind = [...clientStreams.keys()].some((stream) => stream.lateMs() > LATE_MS);
    let refused: StreamNeed | undefined;
    const loopFits = (need: StreamNeed): boolean => hasCapacity([...ofLoop, ofEventLoop(need)], GUARANTEE);
    const fits = (need: StreamNeed): boolean =>
      !isBehind &&
      !(refused && isAtLeast(need, refused)) &&
      hasCapacity([...ofWorkers, need], GUARANTEE) &&
      loopFits(need);
    return {
      accepts(need) {
        // A single stream is always accepted: it cannot be served any better.
        if (!options.keepAhead || ofWorkers.length === 0 || fits(need)) {
          ofWorkers.push(need);
          ofLoop.push(ofEventLoop(need));
          return true;
        }
        refused = need;
        return false;
      },
      refusal(need) {
        const seconds = Math.max(
          forecasts.workers.next(ofWorkers, need),
          loopFits(need) ? 0 : forecasts.eventLoop.next(ofLoop, ofEventLoop(need)),
        );
        return new SpeechError("overloaded", "no more streams can be kept ahead of their playback", seconds);
      },
    };
  }
  const capacity = createCapacityQueue<StreamRequest>({
    view,
    full: () => new SpeechError("overloaded", "too many requests wait for capacity", 1),
    unavailable: ({ engines }) => options.unavailable?.(engines),
  });

  const needOf = (request: StreamRequest, characters: number): StreamNeed => ({
    share: shareOf(request.engines),
    ahead: 0,
    left: (characters * secondsPerCharacter.value) / request.speed,
  });

  const startDeadline = (): number =>
    performance.now() + (options.maxWaitMs ?? MAX_WAIT_MS)[isBurst() ? "burst" : "usual"];

  /** Waits for capacity, then for the start. */
  async function enter(
    stream: AdmittedStream,
    request: StreamRequest,
    characters: number,
    signal: AbortSignal,
  ): Promise<Place> {
    for (const other of streams) other.releaseIfIdle();
    const leaveQueue = requests.enter();
    const arrived = now();
    const deadline = startDeadline();
    const need = needOf(request, characters);
    try {
      await capacity.wait({ request, need, deadline }, signal);
      starting.add(need);
      if (request.internal !== true) options.onAccepted?.(need);
      const isUnlimited = !options.keepAhead || request.internal === true;
      const hasLead = isUnlimited
        ? () => {}
        : await starts.enter(signal, { timeoutMs: Math.max(1, deadline - performance.now()) });
      streams.add(stream);
      if (request.internal !== true) clientStreams.set(stream, arrived);
      return {
        hasLead,
        leave() {
          hasLead();
          streams.delete(stream);
          clientStreams.delete(stream);
          leaveQueue();
        },
      };
    } catch (error) {
      leaveQueue();
      throw error;
    } finally {
      starting.delete(need);
    }
  }

  return {
    waitForCapacity: (request, signal) =>
      capacity.wait({ request, need: needOf(request, request.characters ?? 0), deadline: startDeadline() }, signal),
    join(request) {
      const stream: AdmittedStream = createAdmittedStream(request, {
        now,
        secondsPerCharacter: () => secondsPerCharacter.value,
        shareOf,
        enter: (characters, signal) => enter(stream, request, characters, signal),
        measure({ engine, busyMs, audioSeconds }, characters) {
          costs.get(engine)?.add(busyMs / 1000, audioSeconds);
          secondsPerCharacter.add(audioSeconds * request.speed, characters);
          eventLoopCost.add(audioSeconds);
        },
      });
      return stream;
    },
    needs: ownNeeds,
    usedRatio() {
      const needs = unfinished([...ownNeeds(), ...(options.otherNeeds?.() ?? [])]);
      return needs.reduce((sum, { share }) => sum + share, 0) / GUARANTEE.capacity;
    },
  };
}
