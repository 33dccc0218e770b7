/** `note`: it works, but the user should know. */
export type Verdict = "ok" | "note" | "fail";

export interface Finding {
  readonly check: string;
  readonly verdict: Verdict;
  readonly detail: string;
  /** What the user can do. */
  readonly remedy?: string;
}

export function ok(check: string, detail: string): Finding {
  return { check, verdict: "ok", detail };
}

export function note(check: string, detail: string, remedy: string): Finding {
  return { check, verdict: "note", detail, remedy };
}

export function fail(check: string, detail: string, remedy: string): Finding {
  return { check, verdict: "fail", detail, remedy };
}
