import type { ChunkFigures, EngineName } from "../../speech.ts";
import type { SpeechChunk } from "../../text/index.ts";
import type { Need } from "./schedulability.ts";

/** What somebody wants to have spoken. */
export interface StreamWish {
  /** Those of its voices. */
  readonly engines: readonly EngineName[];
  /** Of the whole text; undefined where it is still being written. */
  readonly characters: number | undefined;
  readonly speed: number;
  /** Nobody listens to it: it is refused like any other, but nobody has to stand back for it. */
  readonly unheard?: true | undefined;
}

/** A stream that is spoken, and what it needs. */
export interface SpokenStream {
  /** The engine that speaks its chunk now. */
  readonly engine: EngineName;
  /** Whether a worker has a chunk of it. */
  readonly isSpeaking: boolean;
  /** Undefined before it was let in. */
  need(): Need | undefined;
  /** How long its listener has nothing to play although a worker has a chunk of it. */
  lateMs(): number;
  /** The chunks, and the stream takes note. It is let in, or refused, when the first of them is there. */
  watch(source: Source, engineOf: (chunk: SpeechChunk) => EngineName, signal: AbortSignal): Source;
  spoke(figures: ChunkFigures): void;
  /** Audio is with the reader, until `resume`. */
  hold(): void;
  resume(): void;
  leave(): void;
}

export type Source = (ahead: () => number) => AsyncIterable<SpeechChunk | "idle"> | Iterable<SpeechChunk>;

export interface StreamHouse {
  now(): number;
  secondsPerCharacter(): number;
  shareOf(engines: readonly EngineName[]): number;
  /** How many times as long as alone everything takes now. */
  crowding(): number;
  /** Waits until it may begin; the result is called when it has begun. Throws `overloaded`. */
  begin(signal: AbortSignal): Promise<() => void>;
  learn(figures: ChunkFigures, characters: number, crowding: number): void;
  onLeave(): void;
}

/** How much a text that is being written is taken to go on: about ten seconds of speech. */
const LIVE_CHARACTERS = 150;
/** With this much to play, a stream has begun, and the next may. */
const LEAD_SECONDS = 1.5;
/** A reader who has taken nothing for so long is not listening. */
const AWAY_MS = 10_000;
/** A round that waits for text, with nothing left to play, keeps its place for this long. */
const PAUSE_MS = 2_000;

interface Current {
  readonly chunk: SpeechChunk;
  readonly engine: EngineName;
  readonly since: number;
  readonly madeBefore: number;
  readonly crowding: number;
}

export function createSpokenStream(wish: StreamWish, house: StreamHouse): SpokenStream {
  let ahead = (): number => 0;
  let admitted = false;
  let current: Current | undefined;
  /** Characters after the current chunk. */
  let after = charactersOf(wish);
  let lastEngine = wish.engines[0] ?? "kokoro";
  let began: number | undefined;
  let heldSince: number | undefined;
  let pausedSince: number | undefined;
  let onBegun = (): void => {};
  let isSpoken = false;

  const seconds = (characters: number): number => (characters * house.secondsPerCharacter()) / wish.speed;
  const made = (): number => (began === undefined ? 0 : ahead() + (house.now() - began) / 1000);
  const begun = (): void => {
    onBegun();
    onBegun = () => {};
  };

  function left(): number {
    const now = house.now();
    if (heldSince !== undefined && now - heldSince > AWAY_MS) return 0;
    if (pausedSince !== undefined && ahead() === 0 && now - pausedSince > PAUSE_MS) return 0;
    const ofChunk = current ? Math.max(0, seconds(current.chunk.text.length) - (made() - current.madeBefore)) : 0;
    return ofChunk + seconds(after);
  }

  return {
    get engine() {
      return current?.engine ?? lastEngine;
    },
    get isSpeaking() {
      return current !== undefined && heldSince === undefined;
    },
    need: () => (admitted ? { share: house.shareOf(wish.engines), ahead: ahead(), left: left() } : undefined),
    lateMs() {
      if (!current || began === undefined || heldSince !== undefined || ahead() > 0) return 0;
      return house.now() - current.since;
    },
    watch: (source, engineOf, signal) =>
      async function* (aheadNow) {
        ahead = aheadNow;
        for await (const chunk of source(aheadNow)) {
          if (chunk === "idle") {
            yield chunk;
            continue;
          }
          if (!admitted) {
            // What is not refused counts at once: the next who asks has to know of it.
            const beginning = house.begin(signal);
            admitted = true;
            try {
              onBegun = await beginning;
            } catch (error) {
              admitted = false;
              throw error;
            }
          }
          pausedSince = undefined;
          lastEngine = engineOf(chunk);
          if (wish.characters !== undefined) after = Math.max(0, wish.characters - chunk.to);
          const crowding = house.crowding();
          current = { chunk, engine: lastEngine, since: house.now(), madeBefore: made(), crowding };
          isSpoken = false;
          yield chunk;
          current = undefined;
          pausedSince = wish.characters === undefined ? house.now() : undefined;
          if (pausedSince !== undefined) begun();
        }
      },
    spoke(figures) {
      if (!current || isSpoken) return;
      isSpoken = true;
      // What nobody waited for was not all heard of here, and says nothing.
      if (figures.outcome !== "done" || figures.audioSeconds === 0) return;
      house.learn(figures, current.chunk.text.length, (current.crowding + house.crowding()) / 2);
    },
    hold() {
      heldSince = house.now();
      if (ahead() > 0) began ??= heldSince;
      if (ahead() >= LEAD_SECONDS) begun();
    },
    resume() {
      heldSince = undefined;
    },
    leave() {
      begun();
      house.onLeave();
    },
  };
}

/** How much text a stream is taken to have before any of it is spoken. */
export function charactersOf({ characters = LIVE_CHARACTERS }: StreamWish): number {
  return characters;
}
