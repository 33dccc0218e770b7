/** Dialogues made of recordings of single readers, with the true speaker of every moment. */
import { findPauses } from "../../packages/speech/src/recognition/pauses.ts";

export interface Reader {
  readonly name: string;
  /** Recordings at `DIALOGUE_RATE`. */
  readonly recordings: readonly Float32Array[];
}

export interface Turn {
  readonly speaker: string;
  readonly from: number;
  readonly to: number;
}

export interface Dialogue {
  readonly samples: Float32Array;
  /** Stretches of speech of one person, without the pauses in between. They may overlap. */
  readonly speech: readonly Turn[];
}

export const DIALOGUE_RATE = 16_000;
/** Turns are as long as in a conversation: the phrases of a recording are joined until they have a length in this range. */
const TURN_SECONDS = { min: 1.5, max: 9 };
const PAUSE_SECONDS = { min: 0.15, max: 1.2 };
const OVERLAP_SECONDS = { min: 0.2, max: 0.6 };
/** The share of turns that start before the other one has ended. */
const OVERLAP_SHARE = 0.2;

interface Phrase {
  readonly samples: Float32Array;
  /** Where there is speech, in seconds from its start. */
  readonly speech: readonly { readonly from: number; readonly to: number }[];
}

/** Turns of the readers in an order that the seed decides, until `seconds` are full. */
export function makeDialogue(readers: readonly Reader[], seconds: number, seed: number): Dialogue {
  const random = createRandom(seed);
  const between = ({ min, max }: { readonly min: number; readonly max: number }): number =>
    min + random() * (max - min);
  const turns = readers.map(({ recordings }) => shuffle(recordings, random).flatMap((each) => cutTurns(each, between)));
  const samples = new Float32Array(Math.ceil((seconds + 2 * TURN_SECONDS.max) * DIALOGUE_RATE));
  const speech: Turn[] = [];
  let end = 0;
  let last = -1;
  while (end < seconds) {
    const others = readers
      .map((_, index) => index)
      .filter((index) => index !== last && (turns[index]?.length ?? 0) > 0);
    const chosen = others[Math.floor(random() * others.length)];
    const phrase = chosen === undefined ? undefined : turns[chosen]?.shift();
    if (chosen === undefined || phrase === undefined) break;
    const overlaps = last >= 0 && random() < OVERLAP_SHARE;
    const start = Math.max(0, end + (overlaps ? -between(OVERLAP_SECONDS) : between(PAUSE_SECONDS)));
    const at = Math.round(start * DIALOGUE_RATE);
    phrase.samples.forEach((sample, index) => {
      samples[at + index] = (samples[at + index] ?? 0) + sample;
    });
    for (const { from, to } of phrase.speech) {
      speech.push({ speaker: readers[chosen]?.name ?? "", from: start + from, to: start + to });
    }
    end = start + phrase.samples.length / DIALOGUE_RATE;
    last = chosen;
  }
  return { samples: samples.subarray(0, Math.round((end + 0.5) * DIALOGUE_RATE)), speech };
}

/** Cuts a recording at its pauses. */
function cutTurns(samples: Float32Array, between: (range: typeof TURN_SECONDS) => number): Phrase[] {
  const pauses = findPauses(samples, DIALOGUE_RATE);
  const turns: Phrase[] = [];
  let from = 0;
  let goal = between(TURN_SECONDS);
  for (const pause of [...pauses, { from: samples.length / DIALOGUE_RATE, to: samples.length / DIALOGUE_RATE }]) {
    if (pause.from - from < Math.min(goal, TURN_SECONDS.max) || pause.from - from < TURN_SECONDS.min) continue;
    turns.push(phraseOf(samples, from, pause.from, pauses));
    from = pause.to;
    goal = between(TURN_SECONDS);
  }
  return turns;
}

function phraseOf(
  samples: Float32Array,
  from: number,
  to: number,
  pauses: readonly { readonly from: number; readonly to: number }[],
): Phrase {
  const speech: { from: number; to: number }[] = [];
  let start = 0;
  for (const pause of pauses.filter((each) => each.from >= from && each.to <= to)) {
    if (pause.from - from > start) speech.push({ from: start, to: pause.from - from });
    start = pause.to - from;
  }
  if (to - from > start) speech.push({ from: start, to: to - from });
  return { samples: samples.slice(Math.round(from * DIALOGUE_RATE), Math.round(to * DIALOGUE_RATE)), speech };
}

function shuffle<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ value }) => value);
}

/** Numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
