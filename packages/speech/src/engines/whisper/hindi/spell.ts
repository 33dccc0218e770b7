import type { Step } from "./align.ts";
import type { Lexicon } from "./lexicon.ts";
import type { StepCosts } from "./step-costs.ts";

/** A word and the steps that it takes. */
export interface SpelledWord {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

/** A word that the lexicon need not have. */
export interface OtherWord extends SpelledWord {
  /** What the word costs instead of that of a lexicon. */
  readonly cost: number;
}

/** The start of a word. */
interface Start {
  readonly from: number;
  /** Those before it. */
  readonly words: Link | undefined;
  /** The last one of them, as the language model knows it. */
  readonly context: number;
}

interface Path extends Start {
  readonly cost: number;
  /** Of the lexicon. */
  readonly node: number;
}

interface Link extends SpelledWord {
  readonly before: Link | undefined;
}

/** Of the paths to one step, those that are followed: this many, and none that costs so much more than the best one. */
const MOST_PATHS = 200;
const MAX_DIFFERENCE = 7;
/** Sounds that are in neither text, one after the other. */
const MAX_INSERTED = 3;

/** The words of a lexicon, or other words, that are most like both texts and most usual one after another. */
export function spell(
  steps: readonly Step[],
  { child, sibling, sound, sounds, words: wordAt, model }: Lexicon,
  others: readonly OtherWord[],
  { matched, inserted, deleted, boundary }: StepCosts,
): readonly SpelledWord[] {
  const insertions = Float64Array.from(sounds, inserted);
  const waiting = new Map<number, Path[]>();
  let paths = new Map<number, Path>();
  put(paths, { from: 0, words: undefined, context: model.context("") }, 0, 0);
  for (const [at, step] of steps.entries()) {
    complete(at);
    for (const { text, to, cost } of others.filter(({ from }) => from === at))
      for (const start of best(ended())) {
        const words = { text, from: at, to, before: start.words };
        const path = { cost: start.cost + cost, node: 0, from: to, words, context: model.context(text) };
        waiting.set(to, [...(waiting.get(to) ?? []), path]);
      }
    const costs = Float64Array.from(sounds, (each) => matched(step, each));
    const deletion = deleted(step);
    const next = new Map<number, Path>();
    let least = Number.POSITIVE_INFINITY;
    for (const path of best([...paths.values()])) {
      const before = path.cost + (path.node === 0 ? 0 : boundary(steps[at - 1], false));
      const follow = (more: number, node: number) => {
        const cost = before + more;
        least = Math.min(least, cost);
        if (cost <= least + MAX_DIFFERENCE) put(next, path, cost, node);
      };
      follow(deletion, path.node);
      for (let node = child[path.node] ?? 0; node > 0; node = sibling[node] ?? 0)
        follow(costs[sound[node] ?? 0] ?? 0, node);
    }
    paths = next;
  }
  complete(steps.length);
  const [spelled] = best(ended());
  if (!spelled) return others;
  const words: SpelledWord[] = [];
  for (let link = spelled.words; link; link = link.before) words.unshift(link);
  return words;

  /** The path that goes on to a node, where it is the best one to the node after the same word. */
  function put(paths: Map<number, Path>, path: Start, cost: number, node: number): Path | undefined {
    const { from, words, context } = path;
    const key = context * sound.length + node;
    const known = paths.get(key);
    if (known && known.cost <= cost) return undefined;
    const added = { cost, node, from, words, context };
    paths.set(key, added);
    return added;
  }

  function ended(): Path[] {
    return [...paths.values()].filter(({ node }) => node === 0);
  }

  /** Adds the paths with other words, with sounds that are in neither text, and with words that end. */
  function complete(at: number): void {
    for (const path of waiting.get(at) ?? []) put(paths, path, path.cost, 0);
    let added = best([...paths.values()]);
    const most = (added[0]?.cost ?? 0) + MAX_DIFFERENCE;
    const end = boundary(steps[at - 1], true);
    for (let round = 0; round <= MAX_INSERTED && added.length > 0; round++) {
      const more: Path[] = [];
      const add = (path: Start, cost: number, node: number) => {
        const added = cost < most ? put(paths, path, cost, node) : undefined;
        if (added) more.push(added);
      };
      for (const path of added) {
        const text = wordAt.get(path.node);
        if (text !== undefined && path.from < at) {
          const words = { text, from: path.from, to: at, before: path.words };
          const cost = path.cost + model.cost(text, path.words?.text ?? "") + end;
          if (cost < most) add({ from: at, words, context: model.context(text) }, cost, 0);
        }
        for (let node = child[path.node] ?? 0; node > 0; node = sibling[node] ?? 0)
          add(path, path.cost + (insertions[sound[node] ?? 0] ?? 0), node);
      }
      added = more;
    }
  }
}

/** The paths to follow, the best one first. */
function best(paths: Path[]): Path[] {
  const sorted = paths.sort((a, b) => a.cost - b.cost).slice(0, MOST_PATHS);
  const most = (sorted[0]?.cost ?? 0) + MAX_DIFFERENCE;
  return sorted.filter(({ cost }) => cost <= most);
}
