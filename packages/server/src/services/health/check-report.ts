/** absent: what it is about is not installed, which is no fault · pending: nothing is known yet */
export type CheckState = "ok" | "failing" | "pending" | "absent";

export interface CheckReport {
  readonly name: string;
  readonly state: CheckState;
  /** Without it the service is not ready. */
  readonly required: boolean;
  /** Since when it has been in this state. */
  readonly since: string;
  /** Unless it is ok. For anybody to read: no addresses, no names of files. */
  readonly reason?: string;
}

export interface Check {
  readonly state: CheckState;
  /** Whether that is another state than before. */
  set(state: CheckState, reason?: string): boolean;
  report(required: boolean): CheckReport;
}

export function createCheck(name: string): Check {
  let state: CheckState = "pending";
  let reason: string | undefined = "it was not tried yet";
  let since = new Date().toISOString();
  return {
    get state() {
      return state;
    },
    set(next, why) {
      const changed = next !== state;
      if (changed) since = new Date().toISOString();
      [state, reason] = [next, next === "ok" ? undefined : why];
      return changed;
    },
    report: (required) => ({ name, state, required, since, ...(reason === undefined ? {} : { reason }) }),
  };
}
