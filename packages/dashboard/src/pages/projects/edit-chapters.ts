import {
  fittingParagraphs,
  isSpoken,
  type ProjectChange,
  type ProjectProgress,
  type ProjectRecord,
} from "@parlance/protocol";

export type Chapters = ProjectRecord["chapters"];
type ChaptersInput = NonNullable<ProjectChange["chapters"]>;

/** Where a paragraph is, from 0. */
export interface Place {
  readonly chapter: number;
  readonly paragraph: number;
}

export interface ParagraphEdit {
  readonly text: string;
  readonly voice: string;
  readonly speaker: string;
}

/** The chapters as they are sent: without audio, and without values that are the default. */
export function toInput(chapters: Chapters): ChaptersInput {
  return chapters.map(({ title, paragraphs }) => ({
    title,
    paragraphs: paragraphs.map(({ text, voice, speaker, take }) => ({
      text,
      ...(voice === "" ? {} : { voice }),
      ...(speaker === "" ? {} : { speaker }),
      ...(take === 0 ? {} : { take }),
    })),
  }));
}

/**
 * An empty line divides a paragraph, and a paragraph without text is removed. A place after the last paragraph adds one,
 * also to a project without chapters.
 */
export function replaceParagraph(given: Chapters, place: Place, edit: ParagraphEdit): ChaptersInput {
  const { text, voice, speaker } = edit;
  const shared = { ...(voice === "" ? {} : { voice }), ...(speaker === "" ? {} : { speaker }) };
  const parts = text
    .replace(/\r\n?/g, "\n")
    .split(/\n[ \t]*\n/)
    .flatMap((part) => [...fittingParagraphs(part)]);
  const chapters = given.length === 0 ? [{ title: "", paragraphs: [] }] : given;
  const take = chapters[place.chapter]?.paragraphs[place.paragraph]?.take ?? 0;
  const edited = parts.map((part) => ({ text: part, ...shared, ...(take === 0 ? {} : { take }) }));
  return toInput(chapters).map((chapter, index) =>
    index === place.chapter
      ? { title: chapter.title, paragraphs: chapter.paragraphs.toSpliced(place.paragraph, 1, ...edited) }
      : chapter,
  );
}

export function renameChapter(chapters: Chapters, chapter: number, title: string): ChaptersInput {
  return toInput(chapters).map((each, index) => (index === chapter ? { ...each, title } : each));
}

/** The first paragraph with audio, from a place on. */
export function nextPlayable(chapters: Chapters, from: Place): Place | undefined {
  for (let chapter = from.chapter; chapter < chapters.length; chapter += 1) {
    const paragraphs = chapters[chapter]?.paragraphs ?? [];
    const start = chapter === from.chapter ? from.paragraph : 0;
    for (let paragraph = start; paragraph < paragraphs.length; paragraph += 1) {
      if (paragraphs[paragraph]?.duration != null) return { chapter, paragraph };
    }
  }
  return undefined;
}

/** The project with the audio that was made since it was loaded. */
export function withProgress(project: ProjectRecord, progress: ProjectProgress): ProjectRecord {
  const { job, job_error, audio_bytes, durations } = progress;
  const chapters = project.chapters.map((chapter) => ({
    ...chapter,
    paragraphs: chapter.paragraphs.map((paragraph) => ({ ...paragraph, duration: durations[paragraph.audio] ?? null })),
  }));
  const spoken = chapters.reduce(
    (sum, { paragraphs }) => sum + paragraphs.filter((each) => each.duration !== null).length,
    0,
  );
  return { ...project, job, job_error, audio_bytes, chapters, spoken };
}

export interface SpokenShare {
  readonly spoken: number;
  /** Those with words: the others need no audio. */
  readonly total: number;
  readonly seconds: number;
}

export function spokenShare(chapters: Chapters): SpokenShare {
  const paragraphs = chapters.flatMap((chapter) => chapter.paragraphs).filter(isSpoken);
  const spoken = paragraphs.filter(({ duration }) => duration !== null);
  return {
    spoken: spoken.length,
    total: paragraphs.length,
    seconds: spoken.reduce((sum, { duration }) => sum + (duration ?? 0), 0),
  };
}
