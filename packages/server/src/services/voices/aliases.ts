import { apiError, describeValue } from "@parlance/protocol";
import { ANY_VOICE, MAX_ALIASES, type VoiceAliases } from "../../config/voice-aliases.ts";
import type { Store } from "../../stores/store.ts";
import type { VoiceAlias } from "../../stores/voice-aliases.ts";

/** The voices that speak for ids of other servers: from the setting and from the table that admins edit. */
export interface Aliases {
  /** The voices to try for an id that does not exist here. The table wins over the setting. */
  find(referenceId: string): Promise<AliasChoice>;
  list(): Promise<readonly (VoiceAlias & { readonly source: "setting" | "table" })[]>;
  /** Throws the 400 for a value that is not allowed. */
  put(alias: VoiceAlias): Promise<void>;
  /** Throws the 404 when the table has no such id. */
  remove(referenceId: string): Promise<void>;
}

export interface AliasChoice {
  /** By the aliases of this id. */
  readonly named: readonly string[];
  /** By the wildcard. */
  readonly others: readonly string[];
}

const MAX_LENGTH = 200;

export function createAliases(
  store: Store,
  setting: VoiceAliases,
  isVoice: (voice: string) => Promise<boolean>,
): Aliases {
  const fromSetting = (id: string): readonly string[] => (Object.hasOwn(setting, id) ? [setting[id] ?? ""] : []);
  return {
    async find(referenceId) {
      // PostgreSQL refuses NUL characters.
      const rows = await store.voiceAliases.find(isName(referenceId) ? [referenceId, ANY_VOICE] : [ANY_VOICE]);
      const voicesOf = (id: string): readonly string[] => [
        ...rows.filter((row) => row.referenceId === id).map(({ voice }) => voice),
        ...fromSetting(id),
      ];
      return { named: voicesOf(referenceId), others: voicesOf(ANY_VOICE) };
    },
    async list() {
      const table = (await store.voiceAliases.list()).map((alias) => ({ ...alias, source: "table" as const }));
      const replaced = new Set(table.map(({ referenceId }) => referenceId));
      const others = Object.entries(setting)
        .filter(([referenceId]) => !replaced.has(referenceId))
        .map(([referenceId, voice]) => ({ referenceId, voice, source: "setting" as const }));
      return [...table, ...others];
    },
    async put(given) {
      const alias = {
        referenceId: checkName(given.referenceId, "reference_id"),
        voice: checkName(given.voice, "voice"),
      };
      if (!(await isVoice(alias.voice))) {
        throw apiError("unknown_voice", {
          field: "voice",
          value: describeValue(alias.voice),
          allowed: "use the id or the short name of a voice of this server",
        });
      }
      await store.exclusively(async (records) => {
        const known = await records.voiceAliases.list();
        if (known.length >= MAX_ALIASES && !known.some(({ referenceId }) => referenceId === alias.referenceId)) {
          throw apiError("too_many_aliases", { limit: MAX_ALIASES });
        }
        await records.voiceAliases.put(alias);
      });
    },
    async remove(referenceId) {
      if (!(await store.voiceAliases.remove(referenceId))) throw apiError("unknown_alias", {});
    },
  };
}

function checkName(given: string, field: string): string {
  const name = given.trim();
  if (isName(name)) return name;
  throw apiError("invalid_value", {
    field,
    value: describeValue(given),
    allowed: `it must have 1 to ${MAX_LENGTH} characters`,
  });
}

function isName(text: string): boolean {
  return text.length >= 1 && text.length <= MAX_LENGTH && !text.includes("\0");
}
