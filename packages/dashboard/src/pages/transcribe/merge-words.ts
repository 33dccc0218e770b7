import type { AsrSegment } from "@parlance/protocol";

/**
 * At most `max` segments: neighbours of one speaker are joined, so that a very long transcript keeps all of its text. Where
 * speakers change too often for that, neighbours are joined all the same.
 */
export function mergeWords(words: readonly AsrSegment[], max: number): readonly AsrSegment[] {
  if (words.length <= max) return words;
  for (let size = Math.ceil(words.length / max); size < words.length; size *= 2) {
    const merged = groupsOf(words, size, true).map(join);
    if (merged.length <= max) return merged;
  }
  return groupsOf(words, Math.ceil(words.length / max), false).map(join);
}

function groupsOf(words: readonly AsrSegment[], size: number, bySpeaker: boolean): (readonly AsrSegment[])[] {
  const groups: AsrSegment[][] = [];
  for (const word of words) {
    const last = groups.at(-1);
    const isOther = bySpeaker && last?.[0]?.speaker !== word.speaker;
    if (last === undefined || last.length >= size || isOther) groups.push([word]);
    else last.push(word);
  }
  return groups;
}

function join(group: readonly AsrSegment[]): AsrSegment {
  const [first, last] = [group[0], group.at(-1)];
  return {
    text: group.map(({ text }) => text).join(" "),
    start: first?.start ?? 0,
    end: last?.end ?? 0,
    ...(first?.speaker === undefined ? {} : { speaker: first.speaker }),
  };
}
