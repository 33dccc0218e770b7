import { type KeyboardEvent, useEffect, useMemo, useRef } from "react";
import { spokenPieces, type TimedWord, wordAt } from "./spoken-pieces.ts";

interface SpokenTextProps {
  /** The text that the words are part of, with its punctuation and paragraphs. */
  readonly text: string;
  readonly words: readonly TimedWord[];
  /** Seconds, or less than 0 for no word. Read for every frame. */
  readonly position: () => number;
  readonly live: boolean;
  readonly onSeek: (seconds: number) => void;
}

/** After this time without a touch, the text follows the spoken word again. */
const FOLLOW_AFTER_MS = 4000;
const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 };

/**
 * The text, with the current word highlighted. A click on a word seeks to it. The words are one tab stop: the arrow keys
 * move between them.
 */
export function SpokenText({ text, words, position, live, onSeek }: SpokenTextProps) {
  const list = useRef<HTMLDivElement>(null);
  const touchedAt = useRef(Number.NEGATIVE_INFINITY);
  const read = useRef(position);
  read.current = position;
  const pieces = useMemo(() => spokenPieces(text, words), [text, words]);
  useEffect(() => {
    // Sixty updates a second are too many for React: only the two words that change are updated.
    let marked: Element | undefined;
    let frame = 0;
    const next = () => {
      const index = wordAt(words, read.current());
      const word = index < 0 ? undefined : buttonsOf(list.current)[index];
      if (word !== marked) {
        marked?.classList.remove("now");
        word?.classList.add("now");
        if (word && performance.now() - touchedAt.current > FOLLOW_AFTER_MS) reveal(list.current, word);
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
  const onTouch = () => {
    touchedAt.current = performance.now();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = buttonsOf(list.current);
    const at = buttons.findIndex((button) => button.isSameNode(document.activeElement));
    const last = buttons.length - 1;
    const target = { Home: 0, End: last }[event.key] ?? at + (STEPS[event.key] ?? Number.NaN);
    if (at < 0 || Number.isNaN(target)) return;
    event.preventDefault();
    onTouch();
    const to = buttons[Math.max(0, Math.min(last, target))];
    for (const button of buttons) button.tabIndex = button === to ? 0 : -1;
    to?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the buttons inside take the focus; keys bubble up from them.
    <div className="spoken" ref={list} onKeyDown={onKeyDown} onWheel={onTouch} onTouchMove={onTouch}>
      {pieces.map((piece, index) =>
        piece.isSpeaker ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: as below.
          <strong key={index} className="speaker">
            {piece.text}
          </strong>
        ) : piece.word === undefined ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces repeat, and are only added at the end.
          <span key={index}>{piece.text}</span>
        ) : (
          <button
            // biome-ignore lint/suspicious/noArrayIndexKey: as above.
            key={index}
            type="button"
            className="word"
            tabIndex={piece.word === 0 ? 0 : -1}
            onClick={() => onSeek(words[piece.word ?? 0]?.start ?? 0)}
          >
            {piece.text}
          </button>
        ),
      )}
    </div>
  );
}

function buttonsOf(list: HTMLElement | null): readonly HTMLButtonElement[] {
  return [...(list?.querySelectorAll<HTMLButtonElement>("button.word") ?? [])];
}

/** Scrolls the list only. `scrollIntoView` would also scroll the page, away from what is being read. */
function reveal(list: HTMLElement | null, word: HTMLElement): void {
  if (list === null) return;
  const [outer, inner] = [list.getBoundingClientRect(), word.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom;
}
