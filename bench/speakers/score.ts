/** Compares the speakers of a transcript with the true ones. */
import type { Turn } from "./dialogues.ts";

export interface FoundTurn {
  readonly speaker: number;
  readonly from: number;
  readonly to: number;
}

export interface Score {
  /** Seconds of speech, and of these: attributed to the wrong speaker, to none. */
  readonly speech: number;
  readonly wrong: number;
  readonly missed: number;
}

const STEP_SECONDS = 0.01;

/** With the assignment of found speakers to true ones that fits best. Where two people speak, either is right. */
export function scoreSpeakers(truth: readonly Turn[], found: readonly FoundTurn[]): Score {
  const names = [...new Set(truth.map(({ speaker }) => speaker))];
  const numbers = [...new Set(found.map(({ speaker }) => speaker))];
  const end = Math.max(0, ...truth.map(({ to }) => to));
  const right = numbers.map(() => names.map(() => 0));
  let [speech, missed, attributed] = [0, 0, 0];
  for (let time = STEP_SECONDS / 2; time < end; time += STEP_SECONDS) {
    const speakers = truth.filter(({ from, to }) => from <= time && time < to).map(({ speaker }) => speaker);
    if (speakers.length === 0) continue;
    speech += STEP_SECONDS;
    const turn = found.find(({ from, to }) => from <= time && time < to);
    if (turn === undefined) missed += STEP_SECONDS;
    else {
      attributed += STEP_SECONDS;
      const row = right[numbers.indexOf(turn.speaker)];
      for (const name of new Set(speakers))
        if (row) row[names.indexOf(name)] = (row[names.indexOf(name)] ?? 0) + STEP_SECONDS;
    }
  }
  return { speech, missed, wrong: attributed - bestAssignment(right, new Set()) };
}

/** The most seconds that can be right. Each found speaker is one true one at most, and the other way round. */
function bestAssignment(right: readonly (readonly number[])[], taken: ReadonlySet<number>): number {
  const [row, ...rest] = right;
  if (row === undefined) return 0;
  const choices = row.map((seconds, name) =>
    taken.has(name) || seconds === 0 ? 0 : seconds + bestAssignment(rest, new Set([...taken, name])),
  );
  return Math.max(bestAssignment(rest, taken), ...choices);
}
