/** absent: the checked part is not installed, which is no failure · pending: not checked yet */
export type CheckState = "ok" | "failing" | "pending" | "absent";

export interface CheckReport {
  readonly name: string;
  readonly state: CheckState;
  /** Whether the service is not ready when this check fails. */
  readonly required: boolean;
  /** When it entered this state. */
  readonly since: string;
  /** Unless it is ok. Public: no addresses, no file names. */
  readonly reason?: string;
}

export interface Check {
  readonly state: CheckState;
  /** Returns whether the state changed. */
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
