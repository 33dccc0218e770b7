import assert from "node:assert/strict";
import { test } from "node:test";
import { nextPlayable, renameChapter, replaceParagraph, spokenShare, toInput, withProgress } from "./edit-chapters.ts";

const paragraph = (text: string, more = {}) => ({
  ...{ text, voice: "", speaker: "", take: 0, audio: "0", duration: null },
  ...more,
});
const CHAPTERS = [
  { title: "One", paragraphs: [paragraph("A."), paragraph("B.", { voice: "v", take: 2, duration: 1.5 })] },
  { title: "Two", paragraphs: [paragraph("* * *"), paragraph("C.", { speaker: "Ann", duration: 2 })] },
];

test("chapters are sent without audio, and only with what was set", () => {
  assert.deepEqual(toInput(CHAPTERS), [
    { title: "One", paragraphs: [{ text: "A." }, { text: "B.", voice: "v", take: 2 }] },
    { title: "Two", paragraphs: [{ text: "* * *" }, { text: "C.", speaker: "Ann" }] },
  ]);
  assert.equal(renameChapter(CHAPTERS, 1, "Second")[1]?.title, "Second");
});

test("progress adds what was spoken since to a project, and takes away what is not kept any more", () => {
  const project = {
    ...{ _id: "1", title: "x", paragraphs: 2, spoken: 1, audio_bytes: 5, voice: "", language: null, speed: 1 },
    ...{ speakers: {}, pronunciations: {}, created_at: "a", updated_at: "b", job_error: null, job: "running" as const },
    chapters: [
      { title: "One", paragraphs: [paragraph("A.", { audio: "a", duration: 1 }), paragraph("B.", { audio: "b" })] },
    ],
  };
  const progress = { job: "idle" as const, job_error: null, updated_at: "b", audio_bytes: 9, durations: { b: 2.5 } };
  const [before] = project.chapters;
  const paragraphs = before?.paragraphs.map((each) => ({ ...each, duration: each.audio === "b" ? 2.5 : null }));
  assert.deepEqual(withProgress(project, progress), {
    ...{ ...project, job: "idle", audio_bytes: 9, spoken: 1 },
    chapters: [{ title: "One", paragraphs }],
  });
});

test("an empty line divides a paragraph, and a paragraph without text is removed", () => {
  const edit = { text: "B.\r\n\r\nAnd D.", voice: "", speaker: "Bob" };
  assert.deepEqual(replaceParagraph(CHAPTERS, { chapter: 0, paragraph: 1 }, edit)[0]?.paragraphs, [
    { text: "A." },
    { text: "B.", speaker: "Bob", take: 2 },
    { text: "And D.", speaker: "Bob", take: 2 },
  ]);
  const removed = replaceParagraph(CHAPTERS, { chapter: 1, paragraph: 0 }, { text: " ", voice: "", speaker: "" });
  assert.deepEqual(removed[1]?.paragraphs, [{ text: "C.", speaker: "Ann" }]);
  const added = replaceParagraph(CHAPTERS, { chapter: 0, paragraph: 2 }, { text: "D.", voice: "", speaker: "" });
  assert.deepEqual(added[0]?.paragraphs.at(-1), { text: "D." });
  assert.equal(added[0]?.paragraphs.length, 3);
  const first = replaceParagraph([], { chapter: 0, paragraph: 0 }, { text: "A.", voice: "", speaker: "" });
  assert.deepEqual(first, [{ title: "", paragraphs: [{ text: "A." }] }]);
  const long = replaceParagraph(
    CHAPTERS,
    { chapter: 0, paragraph: 0 },
    { text: "x ".repeat(5000), voice: "", speaker: "" },
  );
  assert.ok(long[0]?.paragraphs.every(({ text }) => text.length <= 4000));
});

test("playback continues with the next paragraph that has audio, in any chapter", () => {
  assert.deepEqual(nextPlayable(CHAPTERS, { chapter: 0, paragraph: 0 }), { chapter: 0, paragraph: 1 });
  assert.deepEqual(nextPlayable(CHAPTERS, { chapter: 0, paragraph: 2 }), { chapter: 1, paragraph: 1 });
  assert.equal(nextPlayable(CHAPTERS, { chapter: 1, paragraph: 2 }), undefined);
});

test("paragraphs without words need no audio", () => {
  assert.deepEqual(spokenShare(CHAPTERS), { spoken: 2, total: 3, seconds: 3.5 });
});
