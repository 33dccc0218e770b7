/** A text with a selection; without one, `from` and `to` are the place of the cursor. */
export interface Selected {
  readonly text: string;
  readonly from: number;
  readonly to: number;
}

export interface MarkKind {
  readonly name: string;
  /** What it does, for people. */
  readonly explanation: string;
  /** What replaces the selection, and the part of it that is selected then. */
  insert(selected: Selected): { readonly text: string; readonly from: number; readonly to: number };
}

const atCursor =
  (mark: string): MarkKind["insert"] =>
  ({ text, from, to }) => {
    // Nothing that was selected is lost: the pause comes after it.
    const whole = text.slice(from, to) + mark;
    return { text: whole, from: whole.length, to: whole.length };
  };

const around =
  (before: string, after: string, placeholder: string): MarkKind["insert"] =>
  ({ text, from, to }) => {
    const inner = text.slice(from, to) || placeholder;
    return { text: before + inner + after, from: before.length, to: before.length + inner.length };
  };

/** The marks of the toolbar. */
export const MARKS: readonly MarkKind[] = [
  { name: "Pause", explanation: "[break] is half a second of silence.", insert: atCursor("[break]") },
  {
    name: "Long pause",
    explanation: "[long-break] is 1.2 seconds of silence; [break 2s] has a length of its own.",
    insert: atCursor("[long-break]"),
  },
  {
    name: "Phonemes",
    explanation: "The text inside is spoken by its sounds, in IPA or ARPAbet: replace the selected text with them.",
    insert: around("<|phoneme_start|>", "<|phoneme_end|>", "həlˈoʊ"),
  },
  {
    name: "Spell out",
    explanation: "Letters and digits are named one by one.",
    insert: around("<|spell_start|>", "<|spell_end|>", "ABC"),
  },
  {
    name: "Speaker",
    explanation: "From here on another voice speaks. Choose it under Voices of the speakers.",
    insert(selected) {
      const before = speakerAt(selected.text, selected.from);
      const mark = `<|speaker:${before === 0 ? Math.max(1, speakersOf(selected.text)) : 0}|>`;
      if (selected.from === selected.to) return { text: mark, from: mark.length, to: mark.length };
      return around(mark, `<|speaker:${before}|>`, "")(selected);
    },
  },
];

const SPEAKER = /<\|speaker:\s*(\d{1,3})\|>/g;
/** A request may name this many voices. */
const MAX_SPEAKERS = 32;

/** The highest number of a speaker in the text; 0 without any. */
export function speakersOf(text: string): number {
  const numbers = [...text.matchAll(SPEAKER)].map(([, number]) => Number(number));
  return Math.min(MAX_SPEAKERS - 1, Math.max(0, ...numbers.slice(0, 10_000)));
}

/** Who speaks at a place. */
function speakerAt(text: string, place: number): number {
  return Number([...text.slice(0, place).matchAll(SPEAKER)].at(-1)?.[1] ?? 0);
}
