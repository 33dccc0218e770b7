import { editDistance } from "./edit-distance.ts";
import type { PhonemeGroup } from "./espeak.ts";

/**
 * espeak joins some words ("of the" → ʌvðə) and splits others ("25" → twˈɛnti fˈaɪv), but every word needs its own phonemes for
 * its timing. This finds the assignment of groups to words with the lowest cost, comparing each group with the phonemes of its
 * words in isolation.
 */
export function matchWords(
  alone: readonly (readonly PhonemeGroup[])[],
  groups: readonly PhonemeGroup[],
): PhonemeGroup[] {
  const sounds = alone.map((word) => word.flat());
  const count = sounds.length;
  const width = groups.length + 1;
  const cost = new Float64Array((count + 1) * width).fill(Number.POSITIVE_INFINITY);
  const from = new Int32Array(cost.length);
  cost[0] = 0;
  for (let word = 0; word <= count; word++) {
    for (let group = 0; group < width; group++) {
      const here = cost[word * width + group] ?? 0;
      if (here === Number.POSITIVE_INFINITY) continue;
      for (const [words, parts] of moves) {
        if (word + words > count || group + parts >= width) continue;
        const expected = sounds.slice(word, word + words).flat();
        const actual = groups.slice(group, group + parts).flat();
        const next = (word + words) * width + group + parts;
        // A one-to-one step is preferred.
        const total = here + difference(expected, actual) + (words + parts - 2) * 0.1;
        if (total < (cost[next] ?? 0)) {
          cost[next] = total;
          from[next] = word * width + group;
        }
      }
    }
  }

  const matched: PhonemeGroup[] = [];
  let at = count * width + groups.length;
  if (cost[at] === Number.POSITIVE_INFINITY) return share(groups.flat(), sounds);
  while (at > 0) {
    const before = from[at] ?? 0;
    const [word, group] = [Math.floor(before / width), before % width];
    const actual = groups.slice(group, at % width).flat();
    matched.unshift(...share(actual, sounds.slice(word, Math.floor(at / width))));
    at = before;
  }
  return matched;
}

/** The number of words and groups in one step of the assignment. A word may have no group. */
const moves: readonly (readonly [words: number, groups: number])[] = [
  [1, 1],
  [1, 0],
  ...[2, 3, 4].map((words) => [words, 1] as const),
  ...[2, 3, 4, 5, 6, 7, 8].map((groups) => [1, groups] as const),
];

/** Divides the phonemes of joined words among them, in proportion to their lengths in isolation. */
function share(phonemes: PhonemeGroup, sounds: readonly PhonemeGroup[]): PhonemeGroup[] {
  const total = sounds.reduce((sum, sound) => sum + sound.length, 0) || 1;
  let assigned = 0;
  let start = 0;
  return sounds.map((sound) => {
    assigned += sound.length;
    const end = Math.round((assigned / total) * phonemes.length);
    const own = phonemes.slice(start, end);
    start = end;
    return own;
  });
}

/** Without stress, which depends on the context. */
function difference(a: readonly string[], b: readonly string[]): number {
  return editDistance(a, b, (left, right) => plain(left) === plain(right));
}

function plain(phoneme: string): string {
  return phoneme.replace(/[ˈˌ]/g, "");
}
