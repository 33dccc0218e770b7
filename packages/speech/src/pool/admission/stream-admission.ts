import { type EngineName, SpeechError } from "../../speech.ts";
import { createLoopMeasure, createMeasure, type Measure } from "./cost-average.ts";
import { createAdmission } from "./request-admission.ts";
import { hasRoom, type Need, type Promised, secondsUntilRoom } from "./schedulability.ts";
import { createStartLine } from "./start-queue.ts";
import { charactersOf, createSpokenStream, type SpokenStream, type StreamWish } from "./stream-demand.ts";

/** Lets in as many streams as can be kept ahead of their playback, and no more. */
export interface SpeechAdmission {
  /** Throws `overloaded` if it would not be let in now. Costs nothing: for a look before other work is begun. */
  requireRoom(wish: StreamWish): void;
  /** A place among all that are spoken or wait. Throws `overloaded` when there are too many. */
  join(wish: StreamWish): SpokenStream;
}

export interface SpeechAdmissionOptions {
  /** Streams that may be inside whatever they need. */
  readonly queue: number;
  /** off: only their number counts. */
  readonly keepAhead: boolean;
  readonly engines: Readonly<Record<EngineName, EngineCapacity>>;
  readonly now?: () => number;
  /** Milliseconds that the event loop has worked. */
  readonly loopActiveMs?: () => number;
}

export interface EngineCapacity {
  readonly workers: number;
  /** How many seconds a worker is busy with one second of audio, before that was measured: rather too much. */
  readonly prior: number;
}

/** The rest is for what cannot be foreseen: the size of windows, chunks on one worker, other work on the machine. */
const PROMISED: Promised = { part: 0.7, lead: 5, within: 2 };
const LONGEST_RETRY_SECONDS = 60;
/** A stream of which nothing was heard for this long although a worker has it says that the machine is behind. */
const LATE_MS = 500;
/** Streams that may begin at a time, for each worker. */
const BEGINNING = 2;
/**
 * Whoever has waited this long would be heard late: he is told to come back instead. Where all who are spoken to have just
 * come, there is nobody yet who has to be kept ahead: then a burst may take the moment that it needs.
 */
const LONGEST_LINE_MS = { usual: 120, burst: 600 };
const JUST_MS = 500;
/** Callers who were told to come back; more are not kept in mind. */
const MOST_EXPECTED = 64;

export function createSpeechAdmission(options: SpeechAdmissionOptions): SpeechAdmission {
  const now = options.now ?? (() => performance.now());
  const loopActiveMs = options.loopActiveMs ?? (() => performance.eventLoopUtilization().active);
  const places = createAdmission(options.queue);
  const streams = new Set<SpokenStream>();
  /** Those of them that somebody listens to, and since when they are here. */
  const heard = new Map<SpokenStream, number>();
  const busy: Readonly<Record<EngineName, Measure>> = {
    kokoro: createMeasure({ prior: options.engines.kokoro.prior, belief: 5, halfLife: 120 }),
    piper: createMeasure({ prior: options.engines.piper.prior, belief: 5, halfLife: 120 }),
  };
  const loop = createLoopMeasure(now, loopActiveMs);
  const secondsPerCharacter = createMeasure({ prior: 0.066, belief: 200, halfLife: 5_000 });
  const mostWorkers = Math.max(...Object.values(options.engines).map(({ workers }) => workers));
  const line = createStartLine(BEGINNING * mostWorkers);
  let expected: number[] = [];

  const shareOf = (engines: readonly EngineName[]): number =>
    Math.max(loop.value, ...engines.map((engine) => busy[engine].value / options.engines[engine].workers));

  /** All engines share the cores: what workers need while others work is not what they need alone. */
  const crowding = (): number => {
    const speaking = [...streams].filter((stream) => stream.isSpeaking).map(({ engine }) => engine);
    const inUse = (engine: EngineName): number =>
      Math.min(1, speaking.filter((each) => each === engine).length / options.engines[engine].workers);
    return Math.max(1, inUse("kokoro") + inUse("piper"));
  };

  const isBurst = (): boolean =>
    [...heard].every(([stream, since]) => now() - since < JUST_MS || (stream.need()?.left ?? 0) === 0);

  function requireRoom(wish: StreamWish): void {
    if (!options.keepAhead) return;
    const running = [...heard.keys()].flatMap((stream) => stream.need() ?? []).filter((need) => need.left > 0);
    // Alone on the machine is the best that anybody can have.
    if (running.length === 0) return;
    const left = (charactersOf(wish) * secondsPerCharacter.value) / wish.speed;
    const newcomer: Need = { share: shareOf(wish.engines), ahead: 0, left };
    const isBehind = [...heard.keys()].some((stream) => stream.lateMs() > LATE_MS);
    if (!isBehind && hasRoom([...running, newcomer], PROMISED)) return;
    throw new SpeechError("overloaded", "no more streams can be kept ahead of their playback", comeBack());

    function comeBack(): number {
      const at = now() / 1000;
      expected = expected.filter((time) => time > at).slice(-MOST_EXPECTED);
      const question = { running, newcomer, promised: PROMISED, mostSeconds: LONGEST_RETRY_SECONDS };
      const seconds = secondsUntilRoom({ ...question, expected: expected.map((time) => time - at) });
      expected.push(at + seconds);
      return seconds;
    }
  }

  return {
    requireRoom,
    join(wish) {
      const leave = places.enter();
      const stream = createSpokenStream(wish, {
        now,
        secondsPerCharacter: () => secondsPerCharacter.value,
        shareOf,
        crowding,
        async begin(signal) {
          if (!options.keepAhead) return () => {};
          requireRoom(wish);
          if (wish.unheard === true) return () => {};
          return line.enter(LONGEST_LINE_MS[isBurst() ? "burst" : "usual"], signal);
        },
        learn({ engine, busyMs, audioSeconds }, characters, crowd) {
          busy[engine].add(busyMs / 1000 / crowd, audioSeconds);
          secondsPerCharacter.add(audioSeconds * wish.speed, characters);
          loop.spoken(audioSeconds);
        },
        onLeave() {
          streams.delete(stream);
          heard.delete(stream);
          leave();
        },
      });
      streams.add(stream);
      if (wish.unheard !== true) heard.set(stream, now());
      return stream;
    },
  };
}
