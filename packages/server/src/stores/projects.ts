import type { ProjectJob } from "@parlance/protocol";
import type { Kysely } from "kysely";
import { countRows } from "./count-rows.ts";
import { createProjectAudio, type ProjectAudioStore } from "./project-audio.ts";
import { createProjectQueue, type ProjectQueueStore } from "./project-queue.ts";
import type { Tables } from "./tables.ts";

export interface StoredParagraph {
  readonly text: string;
  readonly voice: string;
  readonly speaker: string;
  readonly take: number;
}

export interface StoredChapter {
  readonly title: string;
  readonly paragraphs: readonly StoredParagraph[];
}

export interface ProjectSettings {
  readonly voice: string;
  readonly language: string | null;
  readonly speed: number;
  readonly speakers: Readonly<Record<string, string>>;
  readonly pronunciations: Readonly<Record<string, string>>;
}

/** A project without its text. */
export interface ProjectRow {
  readonly id: string;
  readonly userId: string;
  readonly title: string;
  readonly paragraphs: number;
  readonly job: ProjectJob;
  readonly jobError: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface ProjectContent {
  readonly settings: ProjectSettings;
  readonly chapters: readonly StoredChapter[];
}

export type ProjectRowChange = Partial<ProjectContent & Pick<ProjectRow, "title">>;

export type ProjectDetails = ProjectRow & ProjectContent;

export interface ProjectStore {
  readonly queue: ProjectQueueStore;
  readonly audio: ProjectAudioStore;
  add(project: ProjectDetails): Promise<void>;
  /** The ids of all projects of an account, the ones changed last first. */
  ids(userId: string): Promise<readonly string[]>;
  /** In any order. Reads past their texts, which are megabytes: pass a few ids only. */
  rows(ids: readonly string[]): Promise<readonly ProjectRow[]>;
  count(userId: string): Promise<number>;
  find(id: string): Promise<ProjectDetails | undefined>;
  /** The text, which may be megabytes, is not read. */
  findRow(id: string): Promise<ProjectRow | undefined>;
  /** Reads the project and locks its row until the transaction ends. Every change of it begins with this. */
  lock(id: string): Promise<ProjectDetails | undefined>;
  /** Only what is given. */
  change(id: string, change: ProjectRowChange, at: string): Promise<void>;
  /** With its audio. */
  remove(id: string): Promise<void>;
}

export function createProjects(db: Kysely<Tables>): ProjectStore {
  return {
    queue: createProjectQueue(db),
    audio: createProjectAudio(db),
    async add({ id, userId, title, job, jobError, createdAt, updatedAt, settings, chapters }) {
      await db
        .insertInto("projects")
        .values({
          id,
          user_id: userId,
          title,
          ...settingsColumn(settings),
          ...chapterColumns(chapters),
          job,
          job_node: null,
          job_error: jobError,
          job_tries: 0,
          job_at: createdAt,
          created_at: createdAt,
          updated_at: updatedAt,
        })
        .execute();
    },
    async ids(userId) {
      const rows = await db
        .selectFrom("projects")
        .select("id")
        .where("user_id", "=", userId)
        .orderBy("updated_at", "desc")
        .orderBy("id")
        .execute();
      return rows.map(({ id }) => id);
    },
    async rows(ids) {
      if (ids.length === 0) return [];
      return (await db.selectFrom("projects").select(ROW).where("id", "in", ids).execute()).map(toRow);
    },
    count: (userId) => countRows(db.selectFrom("projects").where("user_id", "=", userId)),
    async find(id) {
      const row = await db.selectFrom("projects").select(DETAILS).where("id", "=", id).executeTakeFirst();
      return row && toDetails(row);
    },
    async findRow(id) {
      const row = await db.selectFrom("projects").select(ROW).where("id", "=", id).executeTakeFirst();
      return row && toRow(row);
    },
    async lock(id) {
      // An update without effect: both databases lock the row and return its current version.
      const row = await db
        .updateTable("projects")
        .set((columns) => ({ updated_at: columns.ref("updated_at") }))
        .where("id", "=", id)
        .returning(DETAILS)
        .executeTakeFirst();
      return row && toDetails(row);
    },
    async change(id, { title, settings, chapters }, at) {
      await db
        .updateTable("projects")
        .set({
          ...(title === undefined ? {} : { title }),
          ...(settings === undefined ? {} : settingsColumn(settings)),
          ...(chapters === undefined ? {} : chapterColumns(chapters)),
          updated_at: at,
        })
        .where("id", "=", id)
        .execute();
    },
    async remove(id) {
      await db.deleteFrom("projects").where("id", "=", id).execute();
    },
  };
}

const ROW = ["id", "user_id", "title", "paragraphs", "job", "job_error", "created_at", "updated_at"] as const;
const DETAILS = [...ROW, "settings", "chapters"] as const;

const settingsColumn = (settings: ProjectSettings) => ({ settings: JSON.stringify(settings) });

function chapterColumns(chapters: ProjectContent["chapters"]) {
  const paragraphs = chapters.reduce((sum, chapter) => sum + chapter.paragraphs.length, 0);
  return { chapters: JSON.stringify(chapters), paragraphs };
}

function toRow(row: Pick<Tables["projects"], (typeof ROW)[number]>): ProjectRow {
  return {
    id: row.id,
    userId: row.user_id,
    title: row.title,
    paragraphs: row.paragraphs,
    job: toJob(row.job),
    jobError: row.job_error,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

function toDetails(row: Pick<Tables["projects"], (typeof DETAILS)[number]>): ProjectDetails {
  const settings = JSON.parse(row.settings) as ProjectSettings;
  return { ...toRow(row), settings, chapters: JSON.parse(row.chapters) as StoredChapter[] };
}

function toJob(job: string): ProjectJob {
  return job === "waiting" || job === "running" || job === "failed" ? job : "idle";
}
