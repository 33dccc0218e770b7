import type { AsrSegment } from "@parlance/protocol";

/** At most `max` segments: neighbours are joined, so that a very long transcript keeps all of its text. */
export function mergeWords(words: readonly AsrSegment[], max: number): readonly AsrSegment[] {
  const size = Math.ceil(words.length / max);
  if (size <= 1) return words;
  return Array.from({ length: Math.ceil(words.length / size) }, (_, index) => {
    const group = words.slice(index * size, (index + 1) * size);
    const [first, last] = [group[0], group.at(-1)];
    return { text: group.map(({ text }) => text).join(" "), start: first?.start ?? 0, end: last?.end ?? 0 };
  });
}
