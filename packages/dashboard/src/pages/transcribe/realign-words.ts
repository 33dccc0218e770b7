import type { AsrSegment } from "@parlance/protocol";

/** Comparisons of an edit. Beyond it, times are shared out by the length of words. */
const MAX_CELLS = 4_000_000;
const TOKEN =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu;

/**
 * The words of an edited text. Words that stay keep their times; those that are new share the time of the words that they
 * replace, or the pause that they stand in.
 */
export function realignWords(words: readonly AsrSegment[], text: string): AsrSegment[] {
  const tokens = text.match(TOKEN) ?? [];
  const matches = [
    ...matchesOf(
      words.map(({ text: word }) => plain(word)),
      tokens.map(plain),
    ),
    undefined,
  ];
  const result: AsrSegment[] = [];
  let [word, token] = [0, 0];
  for (const match of matches) {
    const [untilWord, untilToken] = match ?? [words.length, tokens.length];
    result.push(...share(tokens.slice(token, untilToken), words, word, untilWord));
    const kept = words[untilWord];
    if (match && kept) result.push({ ...kept, text: tokens[untilToken] ?? kept.text });
    [word, token] = [untilWord + 1, untilToken + 1];
  }
  return result;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}

/** New words in place of those from `first` up to `end`. */
function share(tokens: readonly string[], words: readonly AsrSegment[], first: number, end: number): AsrSegment[] {
  if (tokens.length === 0) return [];
  const replaced = words.slice(first, end);
  const before = words[first - 1];
  const after = words[end];
  const from = replaced[0]?.start ?? before?.end ?? 0;
  const to = Math.max(from, replaced.at(-1)?.end ?? after?.start ?? from);
  const speaker = (replaced[0] ?? before ?? after)?.speaker;
  const total = tokens.reduce((sum, each) => sum + each.length, 0);
  let passed = 0;
  return tokens.map((text) => {
    const start = from + ((to - from) * passed) / total;
    passed += text.length;
    const stop = from + ((to - from) * passed) / total;
    return { text, start: round(start), end: round(stop), ...(speaker === undefined ? {} : { speaker }) };
  });
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** Pairs of equal words in the same order, as many as possible. */
function matchesOf(before: readonly string[], after: readonly string[]): (readonly [number, number])[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let tail = 0;
  const most = Math.min(before.length, after.length) - start;
  while (tail < most && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  const pairs = (count: number, a: number, b: number) =>
    Array.from({ length: count }, (_, index) => [a + index, b + index] as const);
  const middle = longestCommon(before.slice(start, before.length - tail), after.slice(start, after.length - tail));
  return [
    ...pairs(start, 0, 0),
    ...middle.map(([a, b]) => [a + start, b + start] as const),
    ...pairs(tail, before.length - tail, after.length - tail),
  ];
}

function longestCommon(a: readonly string[], b: readonly string[]): (readonly [number, number])[] {
  const width = b.length + 1;
  if (a.length * b.length > MAX_CELLS) return [];
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const same = (lengths[(i + 1) * width + j + 1] ?? 0) + 1;
      const other = Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
      lengths[i * width + j] = a[i] === b[j] ? same : other;
    }
  }
  const pairs: (readonly [number, number])[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    if (a[i] === b[j]) pairs.push([i++, j++]);
    else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  return pairs;
}
