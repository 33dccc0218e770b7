import type { Migration } from "./migrate.ts";

/** The range of the pitch of cloned voices. Voices of before have the range of their prosody. */
export const clonedVoicePitchRange: Migration = {
  name: "cloned-voice-pitch-range",
  expands: true,
  up: async ({ schema }) => {
    await schema
      .alterTable("voices")
      .addColumn("pitch_range", "integer", (column) => column.notNull().defaultTo(1000))
      .execute();
  },
};
