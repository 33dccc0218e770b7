import { VISIBILITIES, type Visibility, VOICE_STATES, type VoiceOrder, type VoiceState } from "@parlance/protocol";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Tables } from "./tables.ts";

export interface VoiceRecord {
  /** 32 lower-case hex digits. */
  readonly id: string;
  /** Null: it came with an engine. */
  readonly userId: string | null;
  /** The key with which it was made; null when it was made in the dashboard. */
  readonly keyId: string | null;
  /** What its maker said about the speaker's consent. */
  readonly consent: string;
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly languages: readonly string[];
  readonly visibility: Visibility;
  readonly state: VoiceState;
  readonly defaultText: string;
  /** Which picture: empty, or what changes with it. */
  readonly cover: string;
  readonly likeCount: number;
  readonly taskCount: number;
  /** Among voices that are equally liked and used, the lower one comes first. */
  readonly place: number;
  readonly engine: string;
  /** A speaker of the engine by name; empty when the voice has an embedding of its own. */
  readonly speaker: string;
  /** 1000 is the engine's own pace. */
  readonly pace: number;
  /** How like the recordings it sounds, in thousandths. */
  readonly similarity: number | null;
  /** Grows whenever it sounds different. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface VoiceChange {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly visibility?: Visibility | undefined;
  readonly cover?: string | undefined;
}

/** What is said of a voice that comes with an engine. */
export type StockVoice = Pick<
  VoiceRecord,
  "id" | "title" | "description" | "tags" | "languages" | "defaultText" | "engine" | "place" | "createdAt"
>;

export interface VoiceQuery {
  /** Those of one owner; without it, those that everybody may see. Null: those that came with an engine. */
  readonly owner?: string | null | undefined;
  /** Only these of its visibilities. */
  readonly visibilities: readonly Visibility[];
  /** The voices of engines that this process has. */
  readonly stock: readonly string[];
  readonly title?: string | undefined;
  /** All of them. */
  readonly tags: readonly string[];
  /** Any of them. */
  readonly languages: readonly string[];
  readonly order: VoiceOrder;
  readonly offset: number;
  readonly limit: number;
}

export interface VoiceStore {
  insert(voice: VoiceRecord): Promise<void>;
  /** Makes the voices of engines known, or known better. To be called in a transaction. */
  putStock(voices: readonly StockVoice[]): Promise<void>;
  find(id: string): Promise<VoiceRecord | undefined>;
  list(query: VoiceQuery): Promise<{ readonly total: number; readonly voices: readonly VoiceRecord[] }>;
  countOf(userId: string): Promise<number>;
  /** False when there is no such voice. To be called in a transaction. */
  update(id: string, change: VoiceChange, at: string): Promise<boolean>;
  /** It is spoken with by one of the engine's own speakers from now on. */
  setSpeaker(id: string, speaker: string): Promise<void>;
  /** With all that belongs to it. False when there is no such voice. */
  remove(id: string): Promise<boolean>;
  /** To be called in a transaction. */
  setLiked(id: string, userId: string, liked: boolean): Promise<void>;
  /** Which of these the user likes. */
  likedOf(userId: string, ids: readonly string[]): Promise<readonly string[]>;
  /** Adds to how often each was spoken with. */
  addTasks(counts: ReadonlyMap<string, number>): Promise<void>;
  /** The names of owners, for those who look at their voices. */
  ownersOf(ids: readonly string[]): Promise<readonly { readonly id: string; readonly nickname: string }[]>;
}

/** SQLite knows the lower case of ASCII only, so titles are kept in it beside themselves. */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase();
}

export function createVoices(db: Kysely<Tables>): VoiceStore {
  const label = async (id: string, kind: "tag" | "language", values: readonly string[]): Promise<void> => {
    await db.deleteFrom("voice_labels").where("voice_id", "=", id).where("kind", "=", kind).execute();
    const rows = [...new Set(values.map(fold))].map((value) => ({ voice_id: id, kind, value }));
    if (rows.length > 0) await db.insertInto("voice_labels").values(rows).execute();
  };
  const labelled = (kind: "tag" | "language", values: readonly string[]) =>
    db.selectFrom("voice_labels").select("voice_id").where("kind", "=", kind).where("value", "in", values.map(fold));
  const matching = ({ owner, visibilities, stock, title, tags, languages }: VoiceQuery) => {
    let query = db.selectFrom("voices");
    if (owner === null) query = query.where("user_id", "is", null);
    else if (owner !== undefined) query = query.where("user_id", "=", owner);
    query = query.where("visibility", "in", visibilities);
    query = query.where((row) =>
      row.or([row("user_id", "is not", null), stock.length === 0 ? row.lit(false) : row("id", "in", stock)]),
    );
    if (title !== undefined) {
      const pattern = `%${fold(title).replace(/[%_!]/g, "!$&")}%`;
      query = query.where(sql<boolean>`title_folded like ${pattern} escape '!'`);
    }
    for (const tag of tags) query = query.where("id", "in", labelled("tag", [tag]));
    if (languages.length > 0) query = query.where("id", "in", labelled("language", languages));
    return query;
  };
  return {
    async insert(voice) {
      await db.insertInto("voices").values(toRow(voice)).execute();
      await label(voice.id, "tag", voice.tags);
      await label(voice.id, "language", voice.languages);
    },
    async putStock(voices) {
      for (const voice of voices) {
        const row = toRow({ ...STOCK, ...voice, updatedAt: voice.createdAt });
        const { title, title_folded, description, tags, languages, default_text, place } = row;
        await db
          .insertInto("voices")
          .values(row)
          .onConflict((conflict) =>
            conflict
              .column("id")
              .doUpdateSet({ title, title_folded, description, tags, languages, default_text, place }),
          )
          .execute();
        await label(voice.id, "tag", voice.tags);
        await label(voice.id, "language", voice.languages);
      }
    },
    async find(id) {
      const row = await db.selectFrom("voices").selectAll().where("id", "=", id).executeTakeFirst();
      return row && toVoice(row);
    },
    async list(query) {
      const { total } = await matching(query)
        .select((row) => row.fn.countAll<number>().as("total"))
        .executeTakeFirstOrThrow();
      let page = matching(query).selectAll();
      if (query.order === "score") page = page.orderBy("like_count", "desc");
      if (query.order !== "created_at") page = page.orderBy("task_count", "desc").orderBy("place");
      const rows = await page
        .orderBy("created_at", "desc")
        .orderBy("place")
        .orderBy("id")
        .limit(query.limit)
        .offset(query.offset)
        .execute();
      return { total: Number(total), voices: rows.map(toVoice) };
    },
    async countOf(userId) {
      const { total } = await db
        .selectFrom("voices")
        .select((row) => row.fn.countAll<number>().as("total"))
        .where("user_id", "=", userId)
        .executeTakeFirstOrThrow();
      return Number(total);
    },
    async update(id, { title, description, tags, visibility, cover }, at) {
      const result = await db
        .updateTable("voices")
        .set({
          updated_at: at,
          ...(title === undefined ? {} : { title, title_folded: fold(title) }),
          ...(description === undefined ? {} : { description }),
          ...(tags === undefined ? {} : { tags: JSON.stringify(tags) }),
          ...(visibility === undefined ? {} : { visibility }),
          ...(cover === undefined ? {} : { cover }),
        })
        .where("id", "=", id)
        .executeTakeFirst();
      const found = result.numUpdatedRows > 0n;
      if (found && tags !== undefined) await label(id, "tag", tags);
      return found;
    },
    async setSpeaker(id, speaker) {
      await db.updateTable("voices").set({ speaker }).where("id", "=", id).execute();
    },
    async remove(id) {
      const result = await db.deleteFrom("voices").where("id", "=", id).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
    async setLiked(id, userId, liked) {
      const changed = liked
        ? await db
            .insertInto("voice_likes")
            .values({ voice_id: id, user_id: userId })
            .onConflict((conflict) => conflict.doNothing())
            .executeTakeFirst()
            .then(({ numInsertedOrUpdatedRows }) => numInsertedOrUpdatedRows ?? 0n)
        : await db
            .deleteFrom("voice_likes")
            .where("voice_id", "=", id)
            .where("user_id", "=", userId)
            .executeTakeFirst()
            .then(({ numDeletedRows }) => numDeletedRows);
      if (changed === 0n) return;
      await db
        .updateTable("voices")
        .set((row) => ({ like_count: row("like_count", liked ? "+" : "-", 1) }))
        .where("id", "=", id)
        .execute();
    },
    async likedOf(userId, ids) {
      if (ids.length === 0) return [];
      const rows = await db
        .selectFrom("voice_likes")
        .select("voice_id")
        .where("user_id", "=", userId)
        .where("voice_id", "in", ids)
        .execute();
      return rows.map((row) => row.voice_id);
    },
    async addTasks(counts) {
      // In one order everywhere, so that nodes never wait for each other in a circle.
      for (const [id, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) {
        await db
          .updateTable("voices")
          .set((row) => ({ task_count: row("task_count", "+", count) }))
          .where("id", "=", id)
          .execute();
      }
    },
    ownersOf: (ids) =>
      ids.length === 0
        ? Promise.resolve([])
        : db.selectFrom("users").select(["id", "nickname"]).where("id", "in", ids).execute(),
  };
}

const STOCK = {
  userId: null,
  keyId: null,
  consent: "",
  visibility: "public",
  state: "trained",
  cover: "",
  likeCount: 0,
  taskCount: 0,
  speaker: "",
  pace: 1000,
  similarity: null,
  version: 1,
} as const;

function toRow(voice: VoiceRecord): Selectable<Tables["voices"]> {
  return {
    id: voice.id,
    user_id: voice.userId,
    key_id: voice.keyId,
    consent: voice.consent,
    title: voice.title,
    title_folded: fold(voice.title),
    description: voice.description,
    tags: JSON.stringify(voice.tags),
    languages: JSON.stringify(voice.languages),
    visibility: voice.visibility,
    state: voice.state,
    default_text: voice.defaultText,
    cover: voice.cover,
    like_count: voice.likeCount,
    task_count: voice.taskCount,
    place: voice.place,
    engine: voice.engine,
    speaker: voice.speaker,
    pace: voice.pace,
    similarity: voice.similarity,
    version: voice.version,
    refinement: "none",
    refining_node: null,
    refinement_tries: 0,
    created_at: voice.createdAt,
    updated_at: voice.updatedAt,
  };
}

export function toVoice(row: Selectable<Tables["voices"]>): VoiceRecord {
  return {
    id: row.id,
    userId: row.user_id,
    keyId: row.key_id,
    consent: row.consent,
    title: row.title,
    description: row.description,
    tags: JSON.parse(row.tags) as string[],
    languages: JSON.parse(row.languages) as string[],
    // What this program does not know is shown to nobody, and not spoken with.
    visibility: VISIBILITIES.find((each) => each === row.visibility) ?? "private",
    state: VOICE_STATES.find((each) => each === row.state) ?? "failed",
    defaultText: row.default_text,
    cover: row.cover,
    likeCount: row.like_count,
    taskCount: row.task_count,
    place: row.place,
    engine: row.engine,
    speaker: row.speaker,
    pace: row.pace,
    similarity: row.similarity,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
