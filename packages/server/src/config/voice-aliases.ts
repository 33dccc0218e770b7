import { z } from "zod";
import type { ValueType } from "./setting.ts";

/** Voices of this server by the ids that clients of other servers send. */
export type VoiceAliases = Readonly<Record<string, string>>;

/** The id that stands for all others. */
export const ANY_VOICE = "*";

export const MAX_ALIASES = 1000;
const name = z.string().trim().min(1).max(200);
const table = z
  .record(name, name)
  .refine((aliases) => Object.keys(aliases).length <= MAX_ALIASES, { error: `at most ${MAX_ALIASES}` });

/** As a JSON object or as `id=voice,id=voice`. */
export const voiceAliases: ValueType<VoiceAliases> = {
  allowed: `a JSON object such as {"id":"voice","*":"voice"}, or id=voice,id=voice, at most ${MAX_ALIASES}`,
  parse: (text) => table.parse(text.trimStart().startsWith("{") ? JSON.parse(text) : fromList(text)),
};

function fromList(text: string): unknown {
  return Object.fromEntries(
    text.split(",").map((entry) => {
      const [id = "", voice = "", ...rest] = entry.split("=").map((each) => each.trim());
      if (rest.length > 0) throw new TypeError(entry);
      return [id, voice];
    }),
  );
}
