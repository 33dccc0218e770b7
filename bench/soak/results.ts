/** The result of one request, as its client saw it. */
export interface Result {
  readonly kind: Kind;
  readonly outcome: Outcome;
  /** Its id in the ledger. */
  readonly traceId: string | undefined;
  /** The price of a complete response; undefined where the client cannot know it. */
  readonly price: number | undefined;
  /** A description of the error. */
  readonly about?: string | undefined;
}

export const KINDS = ["tts", "timestamps", "live", "asr", "voices"] as const;
export type Kind = (typeof KINDS)[number];

/**
 * complete: everything arrived · interrupted: the response ended early, visibly · aborted: by the client ·
 * refused: 503 with a retry time · unavailable: not installed here · failed: none of these, which is a fault
 */
export const OUTCOMES = ["complete", "interrupted", "aborted", "refused", "unavailable", "failed"] as const;
export type Outcome = (typeof OUTCOMES)[number];

export interface Results {
  add(result: Result): void;
  readonly all: readonly Result[];
  count(kind: Kind, outcome: Outcome): number;
}

export function createResults(): Results {
  const all: Result[] = [];
  return {
    all,
    add: (result) => all.push(result),
    count: (kind, outcome) => all.filter((result) => result.kind === kind && result.outcome === outcome).length,
  };
}
