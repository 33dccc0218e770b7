import type { RefinementJob, RefinementResult, RefinementSpec } from "./refinement.ts";

/** Refines voices. For a process of its own: it blocks its thread. */
export function createRefiner(_spec: RefinementSpec) {
  return async (_job: RefinementJob, _signal: AbortSignal): Promise<RefinementResult> => {
    throw new Error("voices cannot be refined yet");
  };
}
