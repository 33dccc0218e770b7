import type { EngineName } from "../../engines/registry.ts";
import type { ChunkMetrics } from "../../speech.ts";
import type { SpeechChunk } from "../../text/index.ts";
import type { StreamNeed } from "./schedulability.ts";

/** What admission knows of a requested stream. */
export interface StreamRequest {
  /** The engines of its voices; at least one. */
  readonly engines: readonly [EngineName, ...EngineName[]];
  /** Of the whole text; undefined while the text is still being written. */
  readonly characters: number | undefined;
  readonly speed: number;
  /** A request of the service itself: it is refused like any other, but other streams do not wait for it. */
  readonly internal?: true | undefined;
}

/** A stream that was accepted or waits for it, and what it needs. */
export interface AdmittedStream {
  /** The engine of its current chunk. */
  readonly engine: EngineName;
  /** Whether a worker has a chunk of it. */
  readonly isSpeaking: boolean;
  /** Undefined before it was accepted. */
  need(): StreamNeed | undefined;
  /** How long the client has had nothing to play although a worker has a chunk of the stream. */
  lateMs(): number;
  /** Passes the chunks on and tracks them. The stream is accepted or refused when its first chunk is there. */
  track(source: ChunkSource, engineOf: (chunk: SpeechChunk) => EngineName, signal: AbortSignal): ChunkSource;
  /** Reports the metrics of the current chunk. */
  chunkEnded(metrics: ChunkMetrics): void;
  /** Audio is with the reader, until `resume`. */
  pause(): void;
  resume(): void;
  leave(): void;
}

/**
 * The chunks to speak, in order. `idle` means that no chunk is known to follow soon, so that everything so far must become
 * audible now; `silence` is a short silence between two chunks. `ahead` returns the seconds that the client still has to play.
 */
export type ChunkSource = (
  ahead: () => number,
) => AsyncIterable<SpeechChunk | "idle" | "silence"> | Iterable<SpeechChunk>;

/** What a stream uses of its admission. */
export interface StreamContext {
  now(): number;
  secondsPerCharacter(): number;
  shareOf(engines: readonly EngineName[]): number;
  /** How many times longer than alone everything takes now. */
  slowdown(): number;
  /** Waits until the stream may start; the result is called when it has a lead. Throws `overloaded`. */
  start(signal: AbortSignal): Promise<() => void>;
  measure(metrics: ChunkMetrics, characters: number, slowdown: number): void;
  onLeave(): void;
}

/** The assumed rest of a text that is still being written: about ten seconds of speech. */
const LIVE_CHARACTERS = 150;
/** With this much to play, a stream has started, and the next one may. */
const LEAD_SECONDS = 1.5;
/** A reader that has taken nothing for this long is not listening. */
const READER_AWAY_MS = 10_000;
/** A round that waits for text, with nothing left to play, keeps its share for this long. */
const WAITING_FOR_TEXT_MS = 2_000;

interface CurrentChunk {
  readonly chunk: SpeechChunk;
  readonly engine: EngineName;
  readonly since: number;
  readonly madeBefore: number;
  readonly slowdown: number;
}

export function createAdmittedStream(request: StreamRequest, context: StreamContext): AdmittedStream {
  let ahead = (): number => 0;
  let admitted = false;
  let current: CurrentChunk | undefined;
  /** Characters after the current chunk. */
  let charactersAfter = charactersOf(request);
  let lastEngine = request.engines[0];
  let playbackStarted: number | undefined;
  let pausedSince: number | undefined;
  let waitingForTextSince: number | undefined;
  let releaseStart = (): void => {};
  let isMeasured = false;

  const seconds = (characters: number): number => (characters * context.secondsPerCharacter()) / request.speed;
  const made = (): number => (playbackStarted === undefined ? 0 : ahead() + (context.now() - playbackStarted) / 1000);
  const hasLead = (): void => {
    releaseStart();
    releaseStart = () => {};
  };

  function left(): number {
    const now = context.now();
    if (pausedSince !== undefined && now - pausedSince > READER_AWAY_MS) return 0;
    if (waitingForTextSince !== undefined && ahead() === 0 && now - waitingForTextSince > WAITING_FOR_TEXT_MS) return 0;
    const ofChunk = current ? Math.max(0, seconds(current.chunk.text.length) - (made() - current.madeBefore)) : 0;
    return ofChunk + seconds(charactersAfter);
  }

  return {
    get engine() {
      return current?.engine ?? lastEngine;
    },
    get isSpeaking() {
      return current !== undefined && pausedSince === undefined;
    },
    need: () => (admitted ? { share: context.shareOf(request.engines), ahead: ahead(), left: left() } : undefined),
    lateMs() {
      if (!current || playbackStarted === undefined || pausedSince !== undefined || ahead() > 0) return 0;
      return context.now() - current.since;
    },
    track: (source, engineOf, signal) =>
      async function* (aheadNow) {
        ahead = aheadNow;
        for await (const chunk of source(aheadNow)) {
          if (chunk === "idle" || chunk === "silence") {
            yield chunk;
            continue;
          }
          if (!admitted) {
            // It counts from now on, so that the next request is judged with it.
            const starting = context.start(signal);
            admitted = true;
            try {
              releaseStart = await starting;
            } catch (error) {
              admitted = false;
              throw error;
            }
          }
          waitingForTextSince = undefined;
          lastEngine = engineOf(chunk);
          if (request.characters !== undefined) charactersAfter = Math.max(0, request.characters - chunk.to);
          const slowdown = context.slowdown();
          current = { chunk, engine: lastEngine, since: context.now(), madeBefore: made(), slowdown };
          isMeasured = false;
          yield chunk;
          current = undefined;
          waitingForTextSince = request.characters === undefined ? context.now() : undefined;
          if (waitingForTextSince !== undefined) hasLead();
        }
      },
    chunkEnded(metrics) {
      if (!current || isMeasured) return;
      isMeasured = true;
      // The audio of a chunk that was not read to its end is not all counted.
      if (metrics.outcome !== "done" || metrics.audioSeconds === 0) return;
      context.measure(metrics, current.chunk.text.length, (current.slowdown + context.slowdown()) / 2);
    },
    pause() {
      pausedSince = context.now();
      if (ahead() > 0) playbackStarted ??= pausedSince;
      if (ahead() >= LEAD_SECONDS) hasLead();
    },
    resume() {
      pausedSince = undefined;
    },
    leave() {
      hasLead();
      context.onLeave();
    },
  };
}

/** The length of the text that a stream is assumed to have before any of it is spoken. */
export function charactersOf({ characters = LIVE_CHARACTERS }: StreamRequest): number {
  return characters;
}
