import { useEffect, useRef } from "react";

export interface TimedWord {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface SpokenTextProps {
  readonly words: readonly TimedWord[];
  /** Seconds. Read for every frame. */
  readonly position: () => number;
  readonly live: boolean;
  readonly onSeek: (seconds: number) => void;
}

/** The words, with the current one highlighted. A click on a word seeks to it. */
export function SpokenText({ words, position, live, onSeek }: SpokenTextProps) {
  const list = useRef<HTMLDivElement>(null);
  const read = useRef(position);
  read.current = position;
  useEffect(() => {
    // Sixty updates a second are too many for React: only the two words that change are updated.
    let marked: Element | undefined;
    let frame = 0;
    const next = () => {
      const index = wordAt(words, read.current());
      const word = index < 0 ? undefined : (list.current?.children[index] ?? undefined);
      if (word !== marked) {
        marked?.classList.remove("now");
        word?.classList.add("now");
        word?.scrollIntoView({ block: "nearest" });
        marked = word;
      }
      if (live) frame = requestAnimationFrame(next);
    };
    next();
    return () => {
      cancelAnimationFrame(frame);
      marked?.classList.remove("now");
    };
  }, [words, live]);
  return (
    <div className="spoken" ref={list}>
      {words.map((word, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: words repeat, and are only added at the end.
        <button key={index} type="button" className="word" onClick={() => onSeek(word.start)}>
          {word.text}
        </button>
      ))}
    </div>
  );
}

/** The last word that has started, unless it ended more than 0.15 s ago. */
export function wordAt(words: readonly TimedWord[], seconds: number): number {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle]?.start ?? 0) <= seconds) low = middle + 1;
    else high = middle;
  }
  const word = words[low - 1];
  return word !== undefined && seconds < word.end + 0.15 ? low - 1 : -1;
}
