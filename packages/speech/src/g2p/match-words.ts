import { editDistance } from "./edit-distance.ts";
import type { PhonemeGroup } from "./espeak.ts";

/**
 * espeak joins some words ("of the" → ʌvðə) and parts others ("25" → twˈɛnti fˈaɪv), yet every word must know its own
 * phonemes, or its time would be wrong. This finds the cheapest way to lay the groups over the words, comparing each
 * group with how its words sound when they stand alone.
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
        const heard = groups.slice(group, group + parts).flat();
        const next = (word + words) * width + group + parts;
        // A plain one-to-one step wins a tie.
        const total = here + difference(expected, heard) + (words + parts - 2) * 0.1;
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
    const heard = groups.slice(group, at % width).flat();
    matched.unshift(...share(heard, sounds.slice(word, Math.floor(at / width))));
    at = before;
  }
  return matched;
}

/** How many words at once may meet how many groups. A word may also be silent, a group may also be an extra. */
const moves: readonly (readonly [words: number, groups: number])[] = [
  [1, 1],
  [1, 0],
  ...[2, 3, 4].map((words) => [words, 1] as const),
  ...[2, 3, 4, 5, 6, 7, 8].map((groups) => [1, groups] as const),
];

/** Deals the phonemes of joined words out to them, in proportion to how long each is alone. */
function share(heard: PhonemeGroup, sounds: readonly PhonemeGroup[]): PhonemeGroup[] {
  const total = sounds.reduce((sum, sound) => sum + sound.length, 0) || 1;
  let spoken = 0;
  let start = 0;
  return sounds.map((sound) => {
    spoken += sound.length;
    const end = Math.round((spoken / total) * heard.length);
    const own = heard.slice(start, end);
    start = end;
    return own;
  });
}

/** Stress does not count: it changes in company. */
function difference(a: readonly string[], b: readonly string[]): number {
  return editDistance(a, b, (left, right) => plain(left) === plain(right));
}

function plain(phoneme: string): string {
  return phoneme.replace(/[ˈˌ]/g, "");
}
