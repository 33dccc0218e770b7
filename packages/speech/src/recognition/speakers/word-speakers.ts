import type { Region } from "../speech-regions.ts";

/** A spoken word, as far as turns depend on it. */
export interface TimedWord {
  readonly start: number;
  readonly end: number;
  /** Whether a sentence ends with it. */
  readonly endsSentence: boolean;
}

/** How well each speaker fits a window of speech. */
export interface ScoredWindow extends Region {
  /** A cosine for each speaker. */
  readonly scores: readonly number[];
}

/** What a change of the speaker costs, in seconds of speech times cosine, as measured: inside a sentence, and in a pause or after a sentence. */
const CHANGE_COST = 0.2;
const CHANGE_COST_AT_BREAK = 0.05;
/** A silence of this length is a break. */
const PAUSE_SECONDS = 0.12;
/** Each word says something, however short it is. */
const MIN_WORD_SECONDS = 0.1;

/** The speaker of each word: the sequence that fits the windows best with few changes. Changes are between words. */
export function speakersOfWords(
  words: readonly TimedWord[],
  windows: readonly ScoredWindow[],
  speakers: number,
): number[] {
  const rewards = rewardsOf(words, windows, speakers);
  // The best sequence up to each word that ends with each speaker.
  let best = new Float64Array(speakers);
  const cameFrom: Int32Array[] = [];
  words.forEach((word, index) => {
    const cost = changeCost(words[index - 1], word);
    const leader = best.indexOf(Math.max(...best));
    const from = new Int32Array(speakers);
    const next = new Float64Array(speakers);
    for (let speaker = 0; speaker < speakers; speaker++) {
      const changed = (best[leader] ?? 0) - cost;
      const stays = (best[speaker] ?? 0) >= changed;
      from[speaker] = stays ? speaker : leader;
      next[speaker] = (stays ? (best[speaker] ?? 0) : changed) + (rewards[index]?.[speaker] ?? 0);
    }
    best = next;
    cameFrom.push(from);
  });
  const result: number[] = [];
  let speaker = best.indexOf(Math.max(...best));
  for (let index = words.length - 1; index >= 0; index--) {
    result[index] = speaker;
    speaker = cameFrom[index]?.[speaker] ?? speaker;
  }
  return result;
}

function changeCost(before: TimedWord | undefined, word: TimedWord): number {
  if (before === undefined) return 0;
  const isBreak = before.endsSentence || word.start - before.end >= PAUSE_SECONDS;
  return isBreak ? CHANGE_COST_AT_BREAK : CHANGE_COST;
}

/** The windows around a word, by how near their middle is, times its length. Both lists are in the order of time. */
function rewardsOf(words: readonly TimedWord[], windows: readonly ScoredWindow[], speakers: number): Float64Array[] {
  let first = 0;
  return words.map((word) => {
    while (first < windows.length && (windows[first]?.to ?? 0) <= word.start) first++;
    const sums = new Float64Array(speakers);
    let total = 0;
    for (let at = first; at < windows.length; at++) {
      const window = windows[at];
      if (window === undefined || window.from >= word.end) break;
      const weight = nearness(word, window);
      total += weight;
      for (let speaker = 0; speaker < speakers; speaker++) {
        sums[speaker] = (sums[speaker] ?? 0) + weight * (window.scores[speaker] ?? 0);
      }
    }
    const seconds = Math.max(MIN_WORD_SECONDS, word.end - word.start);
    return total === 0 ? sums : sums.map((sum) => (seconds * sum) / total);
  });
}

function nearness(word: TimedWord, window: Region): number {
  const half = (window.to - window.from) / 2;
  const distance = Math.abs((word.start + word.end) / 2 - (window.from + window.to) / 2);
  return Math.max(0.02, 1 - distance / half) ** 2;
}
