import type { HeardRecording } from "./analysis.ts";
import { CloneError } from "./clone-error.ts";
import { cosine } from "./xvector/xvector.ts";

/** A recording that a voice can be made from. */
export interface UsableRecording extends HeardRecording {
  readonly vector: Float32Array;
}

export interface RecordingLimits {
  /** Of speech in each recording. */
  readonly leastSeconds: number;
}

const MOST_CLIPPED = 0.01;
/*
 * Measured on five readers of audio books and 133 other people: recordings of one person, and halves of one recording,
 * agree by 0.5 and more where they were made in one go, by 0.4 elsewhere. Of two persons, four of five pairs of the readers and
 * nine of ten of the others agree by less than 0.4. It is worse to refuse one person than to take two for one.
 */
const SAME_HALVES = 0.45;
const SAME_RECORDINGS = 0.38;
/** Shorter recordings say too little to be told apart. */
const LEAST_TO_COMPARE_SECONDS = 4;

/** Throws what is wrong with the first recording that is of no use, and what to do about it. */
export function checkRecordings(heard: readonly HeardRecording[], limits: RecordingLimits): readonly UsableRecording[] {
  const usable = heard.map((recording, index) => checkOne(recording, index, limits));
  const long = usable
    .map((recording, index) => ({ ...recording, index }))
    .filter(({ speechSeconds }) => speechSeconds >= LEAST_TO_COMPARE_SECONDS);
  const [first, ...others] = long;
  for (const other of others) {
    if (first && cosine(first.vector, other.vector) < SAME_RECORDINGS) {
      throw new CloneError(
        other.index,
        `sounds like another person than recording ${first.index + 1}: send recordings of one speaker only`,
      );
    }
  }
  return usable;
}

function checkOne(recording: HeardRecording, index: number, { leastSeconds }: RecordingLimits): UsableRecording {
  const { speechSeconds, clipped, vector, agreement } = recording;
  if (speechSeconds === 0) {
    throw new CloneError(index, "has no speech in it: record somebody who speaks, closer to the microphone");
  }
  if (speechSeconds < leastSeconds || vector === undefined) {
    const seconds = Math.floor(speechSeconds * 10) / 10;
    throw new CloneError(
      index,
      `has only ${seconds} s of speech: at least ${leastSeconds} s are needed, 10 s or more are better`,
    );
  }
  if (clipped > MOST_CLIPPED) {
    throw new CloneError(index, "is too loud and cut off at its peaks: record it again with less gain");
  }
  if (agreement !== undefined && agreement < SAME_HALVES) {
    throw new CloneError(index, "seems to have several speakers in it: send recordings of one speaker only");
  }
  return { ...recording, vector };
}
