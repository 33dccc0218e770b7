import { z } from "zod";

/** A voice id of another server, and the voice of this server that speaks for it. */
export const voiceAliasRecord = z.object({
  reference_id: z.string().meta({ description: "The id that clients send; `*` is every other unknown id." }),
  voice: z.string().meta({ description: "The id or short name of a voice of this server." }),
  source: z
    .enum(["setting", "table"])
    .meta({ description: "`setting`: from `PARLANCE_VOICE_ALIASES`, and not changed here." }),
});
export type VoiceAliasRecord = z.output<typeof voiceAliasRecord>;

export const voiceAliasList = z.object({
  items: z.array(voiceAliasRecord).meta({ description: "All aliases." }),
});
export type VoiceAliasList = z.output<typeof voiceAliasList>;

export const voiceAliasBody = z.object({
  reference_id: z.string().meta({ description: "1 to 200 characters; `*` is every other unknown id." }),
  voice: z.string().meta({ description: "The id or short name of a voice of this server." }),
});
export const voiceAliasQuery = voiceAliasBody.pick({ reference_id: true });
