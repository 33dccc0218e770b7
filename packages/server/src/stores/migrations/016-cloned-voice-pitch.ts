import type { Migration } from "./migrate.ts";

/** The pitch of cloned voices. Voices of before have the pitch of their engine. */
export const clonedVoicePitch: Migration = {
  name: "cloned-voice-pitch",
  expands: true,
  up: async ({ schema }) => {
    await schema
      .alterTable("voices")
      .addColumn("pitch", "integer", (column) => column.notNull().defaultTo(1000))
      .execute();
  },
};
