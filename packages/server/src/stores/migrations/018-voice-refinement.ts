import type { Migration } from "./migrate.ts";

/**
 * The version of a voice whose refinement by gradient has ended, and its similarity to recordings that were left out, in
 * thousandths. Null: not refined yet, or not known.
 */
export const voiceRefinement: Migration = {
  name: "voice-refinement",
  expands: true,
  up: async ({ schema }) => {
    for (const column of ["refined_version", "similarity_before", "similarity_after"])
      await schema.alterTable("voices").addColumn(column, "integer").execute();
  },
};
