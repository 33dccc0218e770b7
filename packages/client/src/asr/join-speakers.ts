import { type AsrSpeaker, freeLabel, roundTime } from "@parlance/protocol";
import type { FinishedPart } from "./types.ts";

/** The speakers of a whole recording, and how those of each part are called there. */
export interface JoinedSpeakers {
  readonly speakers: readonly AsrSpeaker[];
  /** For each part, the labels of its speakers by those that its segments have. */
  readonly labels: readonly ReadonlyMap<string, string>[];
}

/** Voices with a higher cosine are those of one person: vectors of minutes of speech are reliable. */
const SAME_SPEAKER = 0.65;

interface Person {
  readonly label: string;
  seconds: number;
  /** The sum of the vectors, weighted by seconds. */
  readonly sum: number[];
}

/**
 * Each part names its speakers by itself, so that A of one part may be B of the next. Voices tell who is who. `count` is the
 * number of people, where it is known.
 */
export function joinSpeakers(parts: readonly FinishedPart[], count: number | undefined): JoinedSpeakers | undefined {
  if (parts.every(({ result }) => result.speakers === undefined)) return undefined;
  const people: Person[] = [];
  const labels = parts.map(({ result }) => {
    const found = result.speakers ?? [];
    const pairs = found
      .flatMap((speaker) => people.map((person) => ({ speaker, person, similarity: similarityOf(speaker, person) })))
      .sort((a, b) => b.similarity - a.similarity);
    const matches = new Map<AsrSpeaker, Person>();
    for (const { speaker, person, similarity } of pairs) {
      const isFull = count !== undefined && people.length >= count;
      if (similarity < SAME_SPEAKER && !isFull) break;
      const taken = [...matches.values()].includes(person);
      if (!matches.has(speaker) && (!taken || isFull)) matches.set(speaker, person);
    }
    return new Map(
      found.map((speaker) => {
        const person = matches.get(speaker) ?? newPerson(speaker, people);
        person.seconds += speaker.seconds;
        for (const [i, value] of speaker.embedding.entries()) {
          person.sum[i] = (person.sum[i] ?? 0) + speaker.seconds * value;
        }
        return [speaker.speaker, person.label] as const;
      }),
    );
  });
  return { labels, speakers: people.map(toSpeaker) };
}

/** A label of another speaker is replaced by the next free letter. */
function newPerson({ speaker }: AsrSpeaker, people: Person[]): Person {
  const taken = new Set(people.map(({ label }) => label));
  const person = { label: taken.has(speaker) ? freeLabel(taken) : speaker, seconds: 0, sum: [] };
  people.push(person);
  return person;
}

function toSpeaker({ label, seconds, sum }: Person): AsrSpeaker {
  const length = Math.hypot(...sum);
  const embedding = length === 0 ? sum : sum.map((value) => Math.round((value / length) * 1000) / 1000);
  return { speaker: label, seconds: roundTime(seconds), embedding };
}

function similarityOf({ embedding }: AsrSpeaker, { sum }: Person): number {
  const dot = embedding.reduce((total, value, i) => total + value * (sum[i] ?? 0), 0);
  const lengths = Math.hypot(...embedding) * Math.hypot(...sum);
  return lengths === 0 ? 0 : dot / lengths;
}
