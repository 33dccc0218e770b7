import type { EngineName } from "../../engines/registry.ts";
import { SpeechError } from "../../errors.ts";
import { createSlots } from "../../lib/slots.ts";
import { type CostAverage, createCostAverage, createEventLoopCost } from "./cost-average.ts";
import { createRequestAdmission } from "./request-admission.ts";
import { type Guarantee, hasCapacity, type StreamNeed, secondsUntilCapacity } from "./schedulability.ts";
import { type AdmittedStream, charactersOf, createAdmittedStream, type StreamRequest } from "./stream-demand.ts";

/** Accepts as many streams as can be kept ahead of their playback, and no more. */
export interface StreamAdmission {
  /** Throws `overloaded` if the stream would be refused now. Cheap: for a check before other work starts. */
  requireCapacity(request: StreamRequest): void;
  /** Adds a stream to those that run or wait. Throws `overloaded` when there are too many. */
  join(request: StreamRequest): AdmittedStream;
}

export interface StreamAdmissionOptions {
  /** The maximum number of streams, whatever they need. */
  readonly queue: number;
  /** When false, only the number of streams is limited. */
  readonly keepAhead: boolean;
  readonly engines: ReadonlyMap<EngineName, EngineCapacity>;
  readonly now?: () => number;
  /** Milliseconds that the event loop has been busy. */
  readonly loopActiveMs?: () => number;
}

export interface EngineCapacity {
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
const STARTING_PER_WORKER = 2;
/**
 * A stream that would wait longer for its start would be late: it is refused instead. When all streams have just arrived,
 * none has to be kept ahead yet, so a burst may take longer.
 */
const MAX_START_WAIT_MS = { usual: 120, burst: 600 };
const JUST_ARRIVED_MS = 500;
/** Refused requests that are expected to return; more are not tracked. */
const MAX_EXPECTED = 64;

export function createStreamAdmission(options: StreamAdmissionOptions): StreamAdmission {
  const now = options.now ?? (() => performance.now());
  const loopActiveMs = options.loopActiveMs ?? (() => performance.eventLoopUtilization().active);
  const requests = createRequestAdmission(options.queue);
  const streams = new Set<AdmittedStream>();
  /** The streams with a listening client, and when they arrived. */
  const clientStreams = new Map<AdmittedStream, number>();
  const costs = new Map<EngineName, CostAverage>(
    [...options.engines].map(([engine, { cost }]) => [
      engine,
      createCostAverage({ prior: cost, priorWeight: 5, halfLife: 120 }),
    ]),
  );
  const workersOf = (engine: EngineName): number => options.engines.get(engine)?.workers ?? 1;
  const eventLoopCost = createEventLoopCost(now, loopActiveMs);
  const secondsPerCharacter = createCostAverage({ prior: 0.066, priorWeight: 200, halfLife: 5_000 });
  const maxWorkers = Math.max(...[...options.engines.values()].map(({ workers }) => workers));
  // A stream that has just started has little to play. If many started at the same moment, each would take the worker from
  // those that started right before it, and all would stutter.
  const starts = createSlots({
    capacity: STARTING_PER_WORKER * maxWorkers,
    refusal: () => new SpeechError("overloaded", "too many streams begin at the same time", 1),
  });
  let expected: number[] = [];

  const shareOf = (engines: readonly EngineName[]): number =>
    Math.max(eventLoopCost.value, ...engines.map((engine) => (costs.get(engine)?.value ?? 0) / workersOf(engine)));

  /** The engines share the cores, so everything takes longer while several of them work. */
  const slowdown = (): number => {
    const busy = [...streams].filter((stream) => stream.isSpeaking).map(({ engine }) => engine);
    const utilization = (engine: EngineName): number =>
      Math.min(1, busy.filter((each) => each === engine).length / workersOf(engine));
    return Math.max(
      1,
      [...options.engines.keys()].reduce((sum, engine) => sum + utilization(engine), 0),
    );
  };

  const isBurst = (): boolean =>
    [...clientStreams].every(([stream, since]) => now() - since < JUST_ARRIVED_MS || (stream.need()?.left ?? 0) === 0);

  function requireCapacity(request: StreamRequest): void {
    if (!options.keepAhead) return;
    const running = [...clientStreams.keys()].flatMap((stream) => stream.need() ?? []).filter((need) => need.left > 0);
    // A single stream is always accepted: it cannot be served any better.
    if (running.length === 0) return;
    const left = (charactersOf(request) * secondsPerCharacter.value) / request.speed;
    const newcomer: StreamNeed = { share: shareOf(request.engines), ahead: 0, left };
    const isBehind = [...clientStreams.keys()].some((stream) => stream.lateMs() > LATE_MS);
    if (!isBehind && hasCapacity([...running, newcomer], GUARANTEE)) return;
    throw new SpeechError("overloaded", "no more streams can be kept ahead of their playback", retryAfter());

    function retryAfter(): number {
      const at = now() / 1000;
      expected = expected.filter((time) => time > at).slice(-MAX_EXPECTED);
      const query = { running, newcomer, guarantee: GUARANTEE, maxSeconds: MAX_RETRY_SECONDS };
      const seconds = secondsUntilCapacity({ ...query, expected: expected.map((time) => time - at) });
      expected.push(at + seconds);
      return seconds;
    }
  }

  return {
    requireCapacity,
    join(request) {
      const leave = requests.enter();
      const stream = createAdmittedStream(request, {
        now,
        secondsPerCharacter: () => secondsPerCharacter.value,
        shareOf,
        slowdown,
        async start(signal) {
          if (!options.keepAhead) return () => {};
          requireCapacity(request);
          if (request.internal === true) return () => {};
          return starts.enter(signal, MAX_START_WAIT_MS[isBurst() ? "burst" : "usual"]);
        },
        measure({ engine, busyMs, audioSeconds }, characters, factor) {
          costs.get(engine)?.add(busyMs / 1000 / factor, audioSeconds);
          secondsPerCharacter.add(audioSeconds * request.speed, characters);
          eventLoopCost.add(audioSeconds);
        },
        onLeave() {
          streams.delete(stream);
          clientStreams.delete(stream);
          leave();
        },
      });
      streams.add(stream);
      if (request.internal !== true) clientStreams.set(stream, now());
      return stream;
    },
  };
}
