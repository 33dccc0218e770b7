import type { Visibility, VoiceOrder } from "@parlance/protocol";
import { type Kysely, sql } from "kysely";
import type { Tables } from "./tables.ts";
import { fold } from "./voice-records.ts";

export interface VoiceQuery {
  /** Voices of one owner. Undefined: of all. Null: stock voices. */
  readonly owner?: string | null | undefined;
  /** Only voices with one of these visibilities. */
  readonly visibilities: readonly Visibility[];
  /** The stock voices of the engines that are installed here. */
  readonly stockIds: readonly string[];
  readonly title?: string | undefined;
  /** Voices that have all of these. */
  readonly tags: readonly string[];
  /** Voices that have any of these. */
  readonly languages: readonly string[];
}

export interface VoicePage {
  readonly order: VoiceOrder;
  readonly offset: number;
  readonly limit: number;
}

/** The voices that match a query, without order and page. */
export function matchingVoices(
  db: Kysely<Tables>,
  { owner, visibilities, stockIds, title, tags, languages }: VoiceQuery,
) {
  const withLabel = (kind: "tag" | "language", values: readonly string[]) =>
    db.selectFrom("voice_labels").select("voice_id").where("kind", "=", kind).where("value", "in", values.map(fold));
  let query = db.selectFrom("voices");
  if (owner === null) query = query.where("user_id", "is", null);
  else if (owner !== undefined) query = query.where("user_id", "=", owner);
  query = query.where("visibility", "in", visibilities);
  query = query.where((row) =>
    row.or([row("user_id", "is not", null), stockIds.length === 0 ? row.lit(false) : row("id", "in", stockIds)]),
  );
  if (title !== undefined) {
    const pattern = `%${fold(title).replace(/[%_!]/g, "!$&")}%`;
    query = query.where(sql<boolean>`title_folded like ${pattern} escape '!'`);
  }
  for (const tag of tags) query = query.where("id", "in", withLabel("tag", [tag]));
  if (languages.length > 0) {
    // The language of a stock voice with its region, such as en-GB, is a tag.
    const regional = languages.map((language) => language.replaceAll("_", "-")).filter((tag) => tag.includes("-"));
    query = query.where((row) =>
      row.or([
        row("id", "in", withLabel("language", languages)),
        ...(regional.length === 0 ? [] : [row("id", "in", withLabel("tag", regional))]),
      ]),
    );
  }
  return query;
}
