import { type AsrSpeaker, roundTime } from "./asr-result.ts";

/** A speaker as recognition finds it. */
interface FoundSpeaker {
  /** The name of a known speaker. */
  readonly name?: string | undefined;
  readonly seconds: number;
  readonly embedding: ArrayLike<number>;
}

/** The label of the speaker with this index who is not known: A to Z, then AA and so on. */
function letterOf(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : letterOf(Math.floor(index / 26) - 1) + letter;
}

/** The first letters that are not taken. */
export function freeLabel(taken: ReadonlySet<string>): string {
  for (let index = 0; ; index++) if (!taken.has(letterOf(index))) return letterOf(index);
}

/** The labels that segments use, one for each speaker: names of known people, and letters that are no known name. */
export function speakerLabels(speakers: readonly FoundSpeaker[]): readonly string[] {
  const taken = new Set(speakers.flatMap(({ name }) => name ?? []));
  return speakers.map(({ name }) => {
    const label = name ?? freeLabel(taken);
    taken.add(label);
    return label;
  });
}

export function toAsrSpeakers(speakers: readonly FoundSpeaker[], labels: readonly string[]): AsrSpeaker[] {
  return speakers.map(({ seconds, embedding }, index) => ({
    speaker: labels[index] ?? "",
    seconds: roundTime(seconds),
    // Three digits change the cosine of two vectors by less than a thousandth.
    embedding: Array.from(embedding, (value) => Math.round(value * 1000) / 1000),
  }));
}
