import type { ExpressionBuilder } from "kysely";
import type { Tables } from "./tables.ts";
import { MAX_ATTEMPTS } from "./voice-records.ts";

type VoiceRow = ExpressionBuilder<Tables, "voices">;

/** The job of a voice ends as an attempt: it waits again, or has failed where that was the last one. */
export const counted = (failed: string, waiting: string) => (row: VoiceRow) => ({
  refinement: row.case().when("refinement_tries", ">=", MAX_ATTEMPTS).then(failed).else(waiting).end(),
  refining_node: null,
});

/** The job waits again, as if it had not begun. */
export const uncounted = (waiting: string) => (row: VoiceRow) => ({
  refinement: waiting,
  refining_node: null,
  refinement_tries: row("refinement_tries", "-", 1),
});
