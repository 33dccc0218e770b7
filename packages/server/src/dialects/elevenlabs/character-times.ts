import type { SpokenSegment } from "@parlance/speech";

/** When each character of a text is spoken, in seconds. */
export interface CharacterTimes {
  readonly characters: string[];
  readonly starts: number[];
  readonly ends: number[];
}

export interface TimedWords {
  readonly text: string;
  /** The words in their order. Each occurs in the text. */
  readonly segments: readonly Pick<SpokenSegment, "text" | "start" | "end">[];
  readonly duration: number;
}

/** A word's time is shared by its characters, and the time between two words by those between them. */
export function characterTimes({ text, segments, duration }: TimedWords, offset = 0): CharacterTimes {
  const timeAt = interpolation(knownTimes(text, segments, duration));
  const characters = Array.from(text);
  let at = 0;
  const edges = [at, ...characters.map((character) => (at += character.length))].map((edge) =>
    toMilliseconds(offset + timeAt(edge)),
  );
  return { characters, starts: edges.slice(0, -1), ends: edges.slice(1) };
}

export function joinTimes(parts: readonly CharacterTimes[]): CharacterTimes {
  return {
    characters: parts.flatMap((part) => part.characters),
    starts: parts.flatMap((part) => part.starts),
    ends: parts.flatMap((part) => part.ends),
  };
}

interface KnownTime {
  readonly at: number;
  readonly time: number;
}

/** Places in the text whose time is known, both never decreasing. */
function knownTimes(text: string, segments: TimedWords["segments"], duration: number): readonly KnownTime[] {
  const known: KnownTime[] = [{ at: 0, time: 0 }];
  const add = (at: number, time: number): void => {
    known.push({ at, time: Math.max(time, known.at(-1)?.time ?? 0) });
  };
  let from = 0;
  for (const { text: word, start, end } of segments) {
    const at = text.indexOf(word, from);
    // A word that is read otherwise than it is written.
    if (at < 0) continue;
    from = at + word.length;
    add(at, start);
    add(from, end);
  }
  add(text.length, duration);
  return known;
}

/** A function that is called with places in increasing order. */
function interpolation(known: readonly KnownTime[]): (at: number) => number {
  let index = 0;
  return (at) => {
    while (index < known.length - 2 && (known[index + 1]?.at ?? 0) < at) index += 1;
    const [before, after] = [known[index], known[index + 1]];
    if (before === undefined || after === undefined || after.at === before.at) return after?.time ?? 0;
    return before.time + ((after.time - before.time) * (at - before.at)) / (after.at - before.at);
  };
}

function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}
