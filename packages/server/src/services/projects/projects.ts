import {
  apiError,
  checkPronunciations,
  type NewProjectInput,
  PROJECT_LIMITS,
  type ProjectChange,
  type SplitChapter,
  splitTextPieces,
} from "@parlance/protocol";
import { takeTurn } from "@parlance/speech";
import { newId } from "../../lib/ids.ts";
import { inTurns } from "../../lib/in-turns.ts";
import { createSlots } from "../../lib/slots.ts";
import { isoTime } from "../../lib/time.ts";
import type { ParagraphAudio, ProjectAudioStore } from "../../stores/project-audio.ts";
import type { ProjectDetails, ProjectRow, ProjectRowChange, StoredChapter } from "../../stores/projects.ts";
import type { Store } from "../../stores/store.ts";
import { assertSpeakable } from "../speech/pronunciations.ts";
import { type HashedParagraph, hashChapters } from "./paragraph-hash.ts";
import { removeAudio } from "./remove-audio.ts";

/** A paragraph, and the audio that it has. */
export interface ParagraphView extends HashedParagraph {
  /** Undefined: it was not spoken yet. */
  readonly durationMs: number | undefined;
}

export interface ProjectView extends Omit<ProjectDetails, "chapters"> {
  readonly chapters: readonly { readonly title: string; readonly paragraphs: readonly ParagraphView[] }[];
  readonly audioBytes: number;
}

export interface ProgressView extends ProjectRow {
  /** The lengths and sizes of its audio, by hash. */
  readonly audio: Awaited<ReturnType<ProjectAudioStore["list"]>>;
}

/** Long texts of accounts. They stay until they are deleted. */
export interface Projects {
  list(
    userId: string,
    page: { readonly pageSize: number; readonly pageNumber: number },
  ): Promise<{ readonly total: number; readonly items: readonly ProjectRow[] }>;
  create(userId: string, input: NewProjectInput): Promise<ProjectView>;
  /** This and the following throw the 404 for a project of another account. */
  find(userId: string, id: string): Promise<ProjectView>;
  progress(userId: string, id: string): Promise<ProgressView>;
  change(userId: string, id: string, change: ProjectChange): Promise<ProjectView>;
  remove(userId: string, id: string): Promise<void>;
  /** Speaks what has no audio yet, in the background; with a place, that paragraph again. */
  speak(
    userId: string,
    id: string,
    place?: { readonly chapter: number; readonly paragraph: number },
  ): Promise<ProjectView>;
  stop(userId: string, id: string): Promise<ProjectView>;
  audio(userId: string, id: string, hash: string): Promise<ParagraphAudio>;
}

export interface ProjectsParts {
  readonly store: Store;
  /** Called when a project waits to be spoken. */
  readonly onQueued: () => void;
  /** Called when a project is no longer to be spoken. */
  readonly onStopped: (id: string) => void;
  readonly now?: () => number;
}

/** Projects that are read at a time, and that may wait: a text is megabytes, in several forms while it is read. */
const READ_AT_ONCE = 3;
const MAX_WAITING = 500;
/** Rows that one statement reads: SQLite reads the text before them, in the thread that serves all requests. */
const LISTED_AT_ONCE = 5;

export function createProjectService({ store, onQueued, onStopped, now = Date.now }: ProjectsParts): Projects {
  const ownedBy = <Project extends ProjectRow>(userId: string, project: Project | undefined): Project => {
    if (project === undefined || project.userId !== userId) throw apiError("unknown_project", {});
    return project;
  };
  const own = async (userId: string, id: string): Promise<ProjectDetails> =>
    ownedBy(userId, await store.projects.find(id));
  const ownRow = async (userId: string, id: string): Promise<ProjectRow> =>
    ownedBy(userId, await store.projects.findRow(id));
  const readers = createSlots({
    slots: READ_AT_ONCE,
    maxWaiting: MAX_WAITING,
    onFull: () => apiError("overloaded", {}, { retryAfterSeconds: 1 }),
  });
  const view = (userId: string, id: string): Promise<ProjectView> => readers.run(() => read(userId, id));
  const read = async (userId: string, id: string): Promise<ProjectView> => {
    const [project, audio] = await Promise.all([own(userId, id), store.projects.audio.list(id)]);
    const chapters = (await hashChapters(project)).map(({ title, paragraphs }) => ({
      title,
      paragraphs: paragraphs.map((paragraph) => ({ ...paragraph, durationMs: audio.get(paragraph.hash)?.durationMs })),
    }));
    return { ...project, chapters, audioBytes: totalBytes(audio) };
  };
  /** One change of a project after the other, so that each is made to the result of the one before. */
  const changeOwn = (userId: string, id: string, changeOf: (project: ProjectDetails) => ProjectRowChange) =>
    store.turns.run(id, () =>
      store.transaction(async ({ projects }) => {
        await projects.change(id, changeOf(ownedBy(userId, await projects.lock(id))), isoTime(now()));
      }),
    );
  const enqueue = async (id: string): Promise<void> => {
    await store.projects.queue.enqueue(id, isoTime(now()));
    onQueued();
  };
  return {
    async list(userId, { pageSize, pageNumber }) {
      const ids = await store.projects.ids(userId);
      const wanted = ids.slice((pageNumber - 1) * pageSize, pageNumber * pageSize);
      const rows = await inTurns(wanted, LISTED_AT_ONCE, store.projects.rows);
      const byId = new Map(rows.map((row) => [row.id, row]));
      // One may have been deleted in between.
      return { total: ids.length, items: wanted.flatMap((id) => byId.get(id) ?? []) };
    },
    async create(userId, { title, text, chapters, ...given }) {
      const id = newId();
      const at = isoTime(now());
      const settings = {
        voice: given.voice ?? "",
        language: given.language || null,
        speed: given.speed ?? 1,
        speakers: given.speakers ?? {},
        pronunciations: checked(given.pronunciations ?? {}),
      };
      const content = { settings, chapters: toStored(chapters ?? (await divided(text ?? "", title))) };
      const project = {
        id,
        userId,
        title,
        paragraphs: 0,
        job: "idle",
        jobError: null,
        createdAt: at,
        updatedAt: at,
      } as const;
      await store.exclusively(async (records) => {
        const limit = PROJECT_LIMITS.projects;
        if ((await records.projects.count(userId)) >= limit) throw apiError("too_many_projects", { limit });
        await records.projects.add({ ...project, ...content });
      });
      return view(userId, id);
    },
    find: view,
    async progress(userId, id) {
      const [project, audio] = await Promise.all([ownRow(userId, id), store.projects.audio.list(id)]);
      return { ...project, audio };
    },
    async change(userId, id, { title, chapters, ...given }) {
      const change = {
        ...(title === undefined ? {} : { title }),
        ...(chapters === undefined ? {} : { chapters: toStored(chapters) }),
      };
      const pronunciations = given.pronunciations && checked(given.pronunciations);
      await changeOwn(userId, id, ({ settings }) => ({
        ...change,
        settings: {
          voice: given.voice ?? settings.voice,
          language: given.language === "" ? null : (given.language ?? settings.language),
          speed: given.speed ?? settings.speed,
          speakers: given.speakers ?? settings.speakers,
          pronunciations: pronunciations ?? settings.pronunciations,
        },
      }));
      return view(userId, id);
    },
    async remove(userId, id) {
      await ownRow(userId, id);
      await store.projects.queue.stop(id);
      onStopped(id);
      await removeAudio(store.projects.audio, id, await store.projects.audio.list(id));
      await store.projects.remove(id);
      await store.erase();
    },
    async speak(userId, id, place) {
      await ownRow(userId, id);
      if (place !== undefined) {
        await changeOwn(userId, id, ({ chapters }) => ({ chapters: withNewTake(chapters, place) }));
      }
      await enqueue(id);
      return view(userId, id);
    },
    async stop(userId, id) {
      await ownRow(userId, id);
      await store.projects.queue.stop(id);
      onStopped(id);
      return view(userId, id);
    },
    async audio(userId, id, hash) {
      await ownRow(userId, id);
      const audio = await store.projects.audio.find(id, hash);
      if (audio === undefined) throw apiError("unknown_project", {});
      return audio;
    },
  };
}

/** Of all audio of a project. */
export function totalBytes(audio: ProgressView["audio"]): number {
  return [...audio.values()].reduce((sum, { bytes }) => sum + bytes, 0);
}

function checked(list: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  assertSpeakable(checkPronunciations(list));
  return list;
}

type ParagraphInput = NonNullable<ProjectChange["chapters"]>[number]["paragraphs"][number];

function toStored(
  chapters: NonNullable<ProjectChange["chapters"]> | readonly SplitChapter[],
): readonly StoredChapter[] {
  return chapters.map(({ title, paragraphs }) => ({
    title,
    paragraphs: paragraphs.map(({ text, voice = "", speaker = "", take = 0 }: ParagraphInput) => ({
      text,
      voice,
      speaker,
      take,
    })),
  }));
}

/** What a text may have between empty lines: besides paragraphs also separators, which are not spoken. */
const MAX_PIECES = 5 * PROJECT_LIMITS.paragraphs;

/** In turns of the event loop, until it has too many parts. */
async function divided(text: string, title: string): Promise<readonly SplitChapter[]> {
  const pieces = splitTextPieces(text, title);
  for (let count = 0; ; count += 1) {
    const { done, value } = pieces.next();
    if (done === true) return value;
    assertFits(value.chapters, "chapters", PROJECT_LIMITS.chapters);
    assertFits(value.paragraphs, "paragraphs", PROJECT_LIMITS.paragraphs);
    assertFits(count, "separators", MAX_PIECES);
    await takeTurn();
  }
}

function assertFits(count: number, part: string, most: number): void {
  if (count <= most) return;
  const allowed = `at most ${most} are allowed`;
  throw apiError("invalid_value", { field: "text", value: `more than ${most} ${part}`, allowed });
}

function withNewTake(
  chapters: readonly StoredChapter[],
  place: { readonly chapter: number; readonly paragraph: number },
): readonly StoredChapter[] {
  if (chapters[place.chapter]?.paragraphs[place.paragraph] === undefined) throw apiError("unknown_project", {});
  return chapters.map((chapter, index) =>
    index !== place.chapter
      ? chapter
      : {
          ...chapter,
          paragraphs: chapter.paragraphs.map((paragraph, at) =>
            at === place.paragraph ? { ...paragraph, take: paragraph.take + 1 } : paragraph,
          ),
        },
  );
}
