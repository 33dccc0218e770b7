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
  /** Of a text that is still being written: characters that have arrived and are not yet part of a chunk. */
  readonly waiting?: (() => number) | undefined;
  readonly speed: number;
  /** A request of the service itself: it is refused like any other, but other streams do not wait for it. */
  readonly internal?: true | undefined;
}

/** A stream that was accepted or waits for it, and what it needs. */
export interface AdmittedStream {
  /** Undefined while it is not accepted. */
  need(): StreamNeed | undefined;
  /** How long the client has had nothing to play although a worker has a chunk of the stream. */
  lateMs(): number;
  /** Gives its place back if it has waited for text long enough. Its next chunk is accepted or refused like a new stream. */
  releaseIfIdle(): void;
  /** Passes the chunks on and tracks them. The stream is accepted or refused when its first chunk is there. */
  track(source: ChunkSource, signal: AbortSignal): ChunkSource;
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
  /** Waits until a stream with this much text may start. Throws `overloaded`. */
  enter(characters: number, signal: AbortSignal): Promise<Place>;
  measure(metrics: ChunkMetrics, characters: number): void;
}

/** The place of a stream among those that run or wait. */
export interface Place {
  /** The stream has a lead: the next one may start. */
  hasLead(): void;
  leave(): void;
}

/** With this much to play, a stream has started, and the next one may. */
const LEAD_SECONDS = 1.5;
/** A reader that has taken nothing for this long is not listening. */
const READER_AWAY_MS = 10_000;
/** A round that waits for text, with nothing left to play, keeps its place for this long. */
const WAITING_FOR_TEXT_MS = 2_000;

interface CurrentChunk {
  readonly chunk: SpeechChunk;
  readonly since: number;
  readonly madeBefore: number;
}

export function createAdmittedStream(request: StreamRequest, context: StreamContext): AdmittedStream {
  let ahead = (): number => 0;
  let place: Place | undefined;
  let current: CurrentChunk | undefined;
  /** Characters of a whole text after the current chunk. */
  let charactersAfter = request.characters ?? 0;
  let lastLength = 0;
  let playbackStarted: number | undefined;
  let pausedSince: number | undefined;
  let waitingForTextSince: number | undefined;
  let isMeasured = false;

  const seconds = (characters: number): number => (characters * context.secondsPerCharacter()) / request.speed;
  const made = (): number => (playbackStarted === undefined ? 0 : ahead() + (context.now() - playbackStarted) / 1000);
  const rest = (): number => request.waiting?.() ?? charactersAfter;
  const leave = (): void => {
    place?.leave();
    place = undefined;
  };

  function left(): number {
    if (pausedSince !== undefined && context.now() - pausedSince > READER_AWAY_MS) return 0;
    // More text will probably come.
    if (waitingForTextSince !== undefined) return seconds(Math.max(rest(), lastLength));
    const ofChunk = current ? Math.max(0, seconds(current.chunk.text.length) - (made() - current.madeBefore)) : 0;
    return ofChunk + seconds(rest());
  }

  return {
    need: () => (place ? { share: context.shareOf(request.engines), ahead: ahead(), left: left() } : undefined),
    lateMs() {
      if (!current || playbackStarted === undefined || pausedSince !== undefined || ahead() > 0) return 0;
      return context.now() - current.since;
    },
    releaseIfIdle() {
      if (waitingForTextSince === undefined || ahead() > 0) return;
      if (context.now() - waitingForTextSince > WAITING_FOR_TEXT_MS) leave();
    },
    track: (source, signal) =>
      async function* (aheadNow) {
        ahead = aheadNow;
        for await (const chunk of source(aheadNow)) {
          if (chunk === "idle" || chunk === "silence") {
            yield chunk;
            continue;
          }
          waitingForTextSince = undefined;
          place ??= await context.enter(request.characters ?? chunk.text.length + rest(), signal);
          lastLength = chunk.text.length;
          if (request.characters !== undefined) charactersAfter = Math.max(0, request.characters - chunk.to);
          current = { chunk, since: context.now(), madeBefore: made() };
          isMeasured = false;
          yield chunk;
          current = undefined;
          waitingForTextSince = request.characters === undefined ? context.now() : undefined;
          if (waitingForTextSince !== undefined) place.hasLead();
        }
      },
    chunkEnded(metrics) {
      if (!current || isMeasured) return;
      isMeasured = true;
      // The audio of a chunk that was not read to its end is not all counted.
      if (metrics.outcome !== "done" || metrics.audioSeconds === 0) return;
      context.measure(metrics, current.chunk.text.length);
    },
    pause() {
      pausedSince = context.now();
      if (ahead() > 0) playbackStarted ??= pausedSince;
      if (ahead() >= LEAD_SECONDS) place?.hasLead();
    },
    resume() {
      pausedSince = undefined;
    },
    leave,
  };
}
