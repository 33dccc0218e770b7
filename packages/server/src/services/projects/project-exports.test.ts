import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { openSqliteStore } from "../../stores/sqlite.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { wavFile } from "../../testing/wav-file.ts";
import { bootstrap } from "../identity/bootstrap.ts";
import { createUploadFolder } from "../uploads/upload-folder.ts";
import { createProjectExports } from "./project-exports.ts";
import type { ProjectView } from "./projects.ts";

const HASH = "0123456789abcdef0123456789abcdef";
const PARAGRAPH = { text: "Hello.", voice: "", speaker: "", take: 0, hash: HASH, durationMs: 500 };
const projectOf = (userId: string): ProjectView => ({
  ...{ id: "p", userId, title: "Story", paragraphs: 1, job: "idle", jobError: null },
  ...{ createdAt: "2030-01-01T00:00:00Z", updatedAt: "2030-01-01T00:00:00Z" },
  settings: { voice: "", language: null, speed: 1, speakers: {}, pronunciations: {} },
  audioBytes: 0,
  chapters: [{ title: "One", paragraphs: [PARAGRAPH] }],
});

async function serve(context: TestContext) {
  const folder = await temporaryFolder(context);
  const store = await openSqliteStore(folder);
  context.after(() => store.close());
  const { adminId } = await bootstrap(store, undefined);
  const project = projectOf(adminId);
  await store.projects.add(project);
  const bytes = Buffer.from(wavFile(new Int16Array(8000), 16_000));
  await store.projects.audio.put("p", { hash: HASH, durationMs: 500, words: [], bytes });
  const exports = createProjectExports(store, createUploadFolder(folder));
  context.after(() => exports.close());
  return { exports, project };
}

it("an export that its client does not read keeps no other account waiting", { timeout: 60_000 }, async (context) => {
  const { exports, project } = await serve(context);
  const stopped = new AbortController();
  const begin = () => exports.audio(project, "wav", undefined, stopped.signal);
  const [unread, waiting] = [begin(), begin()];
  assert.equal((await unread.next()).done, false);
  const waits = assert.rejects(waiting.next(), /left/);
  let length = 0;
  for await (const part of exports.audio({ ...project, userId: "another" }, "mp3", undefined, context.signal))
    length += part.length;
  assert.ok(length > 0);
  stopped.abort(new Error("the client has left"));
  await unread.return(undefined);
  await waits;
});

it("exports of an account beyond the one that may run and those that may wait are refused", async (context) => {
  const { exports, project } = await serve(context);
  const outcomes = await Promise.all(
    Array.from({ length: 15 }, async () => {
      try {
        let length = 0;
        for await (const part of exports.audio(project, "wav", undefined, context.signal)) length += part.length;
        return length > 0 ? "exported" : "empty";
      } catch (error) {
        return (error as { readonly code?: string }).code;
      }
    }),
  );
  assert.equal(outcomes.filter((outcome) => outcome === "exported").length, 11);
  assert.equal(outcomes.filter((outcome) => outcome === "overloaded").length, 4);
});
