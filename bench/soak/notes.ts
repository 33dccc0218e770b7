/** What became of one request, as its client saw it. */
export interface Note {
  readonly kind: Kind;
  readonly outcome: Outcome;
  /** Its id in the ledger. */
  readonly traceId: string | undefined;
  /** What it costs when it is whole; undefined where the client cannot know. */
  readonly price: number | undefined;
  /** What was wrong, for people. */
  readonly about?: string | undefined;
}

export const KINDS = ["tts", "timestamps", "live", "asr", "voices"] as const;
export type Kind = (typeof KINDS)[number];

/**
 * whole: all of it came, and it says so itself · cut: it broke off, and that could be seen · left: the client went ·
 * refused: 503 with a time to come back · absent: not installed here · broken: none of these, which must not be
 */
export const OUTCOMES = ["whole", "cut", "left", "refused", "absent", "broken"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Notes {
  add(note: Note): void;
  readonly all: readonly Note[];
  count(kind: Kind, outcome: Outcome): number;
}

export function createNotes(): Notes {
  const all: Note[] = [];
  return {
    all,
    add: (note) => all.push(note),
    count: (kind, outcome) => all.filter((note) => note.kind === kind && note.outcome === outcome).length,
  };
}
