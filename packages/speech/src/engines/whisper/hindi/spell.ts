import type { Step, Unit } from "./align.ts";
import type { Lexicon } from "./lexicon.ts";
import { missingInArabic, missingInDevanagari, silentInArabic, unlike } from "./unlike.ts";

/** A word and the steps that it takes. */
export interface SpelledWord {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A word that the lexicon need not have. */
export interface OtherWord extends SpelledWord {
  readonly isKept: boolean;
}

interface Path {
  readonly cost: number;
  /** Of the lexicon. */
  readonly node: number;
  /** Where its last word starts. */
  readonly from: number;
  readonly words: Link | undefined;
}

interface Link extends SpelledWord {
  readonly before: Link | undefined;
}

/** How much the costs of each text count. */
const HINDI = 1;
const URDU = 2;
/** Of a word that ends where the text has no end of a word, or goes on where it has one. */
const BOUNDARY = 1.2;
/** Of a word that is not in the lexicon, and of each of its sounds. */
const OTHER_WORD = 2;
const OTHER_SOUND = 0.8;
/** Of each sound of an Arabic letter that is more usual. */
const UNUSUAL = 0.03;
/** Of the paths to one step, those that are followed: this many, and none that costs so much more than the best one. */
const MOST_PATHS = 60;
const MAX_DIFFERENCE = 6;
/** Sounds that are in neither text, one after the other. */
const MAX_INSERTED = 3;

/** The words of a lexicon, or other words, that are most like both texts. */
export function spell(steps: readonly Step[], lexicon: Lexicon, others: readonly OtherWord[]): SpelledWord[] {
  const hindiWeight = steps.some(({ hindi }) => hindi) ? HINDI : 0;
  const inserted = Float64Array.from(
    lexicon.sounds,
    (sound) => hindiWeight * missingInDevanagari(sound) + URDU * missingInArabic(sound),
  );
  const deleted = ({ hindi, urdu }: Step): number =>
    (hindi ? hindiWeight * missingInDevanagari(hindi.sounds[0] ?? "") : 0) +
    (urdu ? URDU * silentInArabic(urdu.sounds[0] ?? "") : 0);
  const matched = ({ hindi, urdu }: Step, sound: string): number =>
    hindiWeight * (hindi ? unlike(sound, hindi.sounds[0] ?? "") : missingInDevanagari(sound)) +
    URDU * (urdu ? unlikeAny(sound, urdu) : missingInArabic(sound));
  const otherSound = (step: Step): number => (hindiWeight > 0 && !step.hindi ? deleted(step) : OTHER_SOUND);
  const otherWord = ({ from, to, isKept }: OtherWord): number =>
    isKept ? 0 : steps.slice(from, to).reduce((cost, step) => cost + otherSound(step), OTHER_WORD);
  /** Of a word that ends, or goes on, before a step. */
  const boundary = (at: number, ends: boolean): number => {
    const { hindi, urdu } = steps[at - 1] ?? {};
    const differs = (unit: Unit | undefined) => Number((unit?.isLast ?? false) !== ends);
    return BOUNDARY * (hindiWeight * differs(hindi) + URDU * differs(urdu));
  };
  const waiting = new Map<number, Path[]>();
  let paths = new Map<number, Path>([[0, { cost: 0, node: 0, from: 0, words: undefined }]]);
  for (const [at, step] of steps.entries()) {
    complete(at);
    const start = paths.get(0);
    for (const other of start ? others.filter(({ from }) => from === at) : []) {
      const words = { text: other.text, from: at, to: other.to, before: start?.words };
      const path = { cost: (start?.cost ?? 0) + otherWord(other), node: 0, from: other.to, words };
      waiting.set(other.to, [...(waiting.get(other.to) ?? []), path]);
    }
    const costs = Float64Array.from(lexicon.sounds, (sound) => matched(step, sound));
    const next = new Map<number, Path>();
    let least = Number.POSITIVE_INFINITY;
    for (const { node: parent, from, words, cost: before } of best(paths)) {
      const cost = before + (parent === 0 ? 0 : boundary(at, false));
      const follow = (more: number, node: number) => {
        least = Math.min(least, cost + more);
        if (cost + more <= least + MAX_DIFFERENCE) put(next, { cost: cost + more, node, from, words });
      };
      follow(deleted(step), parent);
      for (let node = lexicon.child[parent] ?? 0; node > 0; node = lexicon.sibling[node] ?? 0)
        follow(costs[lexicon.sound[node] ?? 0] ?? 0, node);
    }
    paths = next;
  }
  complete(steps.length);
  const words: SpelledWord[] = [];
  for (let link = paths.get(0)?.words; link; link = link.before) words.unshift(link);
  return words;

  /** Adds the paths with other words, with sounds that are in neither text, and with words that end. */
  function complete(at: number): void {
    for (const path of waiting.get(at) ?? []) put(paths, path);
    let added = best(paths);
    const most = (added[0]?.cost ?? 0) + MAX_DIFFERENCE;
    for (let round = 0; round <= MAX_INSERTED && added.length > 0; round++) {
      const more: Path[] = [];
      const add = (cost: number, node: number, from: number, words: Link | undefined) => {
        if (cost >= most) return;
        const path = { cost, node, from, words };
        if (put(paths, path)) more.push(path);
      };
      for (const path of added) {
        const word = lexicon.words.get(path.node);
        if (word && path.from < at) {
          const words = { text: word.text, from: path.from, to: at, before: path.words };
          add(path.cost + word.cost + boundary(at, true), 0, at, words);
        }
        for (let node = lexicon.child[path.node] ?? 0; node > 0; node = lexicon.sibling[node] ?? 0)
          add(path.cost + (inserted[lexicon.sound[node] ?? 0] ?? 0), node, path.from, path.words);
      }
      added = more;
    }
  }
}

function unlikeAny(sound: string, { sounds }: Unit): number {
  return Math.min(...sounds.map((one, at) => unlike(sound, one) + at * UNUSUAL));
}

/** Whether the path is the best one to its node. */
function put(paths: Map<number, Path>, path: Path): boolean {
  const known = paths.get(path.node);
  if (known && known.cost <= path.cost) return false;
  paths.set(path.node, path);
  return true;
}

/** The paths to follow, the best one first. */
function best(paths: ReadonlyMap<number, Path>): Path[] {
  const sorted = [...paths.values()].sort((a, b) => a.cost - b.cost).slice(0, MOST_PATHS);
  const most = (sorted[0]?.cost ?? 0) + MAX_DIFFERENCE;
  return sorted.filter(({ cost }) => cost <= most);
}
