import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError } from "@parlance/protocol";
import type { ProjectDetails } from "../../stores/projects.ts";
import { openSqliteStore } from "../../stores/sqlite.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { until } from "../../testing/until.ts";
import { insertUser } from "../../testing/wallet-user.ts";
import { createProjectService } from "./projects.ts";

it("three texts are read at a time, five hundred requests wait, and further ones are refused", {
  timeout: 60_000,
}, async (context) => {
  const store = await openSqliteStore(await temporaryFolder(context));
  context.after(() => store.close());
  const project: ProjectDetails = {
    ...{ id: "p", userId: "u", title: "x", paragraphs: 0, jobError: null, createdAt: "", updatedAt: "" },
    job: "idle",
    settings: { voice: "", language: null, speed: 1, speakers: {}, pronunciations: {} },
    chapters: [],
  };
  const reading: (() => void)[] = [];
  const find = () => new Promise<ProjectDetails>((resolve) => reading.push(() => resolve(project)));
  const projects = createProjectService({
    store: { ...store, projects: { ...store.projects, find } },
    onQueued: () => {},
    onStopped: () => {},
  });
  const found = Array.from({ length: 503 }, () => projects.find("u", "p"));
  await assert.rejects(projects.find("u", "p"), (error) => error instanceof ApiError && error.code === "overloaded");
  let most = 0;
  for (let left = found.length; left > 0; left -= 1) {
    await until(() => reading.length > 0);
    most = Math.max(most, reading.length);
    reading.shift()?.();
  }
  assert.equal((await Promise.all(found)).length, 503);
  assert.equal(most, 3);
});

it("the audio of a deleted project is removed in parts", { timeout: 60_000 }, async (context) => {
  const store = await openSqliteStore(await temporaryFolder(context));
  context.after(() => store.close());
  const userId = await insertUser(store);
  const removed: number[] = [];
  const audio = {
    ...store.projects.audio,
    remove(id: string, hashes: readonly string[]) {
      removed.push(hashes.length);
      return store.projects.audio.remove(id, hashes);
    },
  };
  const projects = createProjectService({
    store: { ...store, projects: { ...store.projects, audio } },
    onQueued: () => {},
    onStopped: () => {},
  });
  const { id } = await projects.create(userId, { title: "Long", text: "One." });
  for (let index = 0; index < 250; index += 1) {
    const hash = index.toString(16).padStart(32, "0");
    const bytes = Buffer.alloc(index === 0 ? 8_000_001 : 10);
    await store.projects.audio.put(id, { hash, durationMs: 1, words: [], bytes });
  }
  await projects.remove(userId, id);
  assert.deepEqual(
    removed.toSorted((a, b) => a - b),
    [1, 49, 100, 100],
  );
  assert.equal((await store.projects.audio.list(id)).size, 0);
  await assert.rejects(projects.find(userId, id), { code: "unknown_project" });
});

it("projects are listed by a few rows in each statement, the ones changed last first", {
  timeout: 60_000,
}, async (context) => {
  const store = await openSqliteStore(await temporaryFolder(context));
  context.after(() => store.close());
  const userId = await insertUser(store);
  let most = 0;
  const rows = (ids: readonly string[]) => {
    most = Math.max(most, ids.length);
    return store.projects.rows(ids);
  };
  let now = Date.now();
  const projects = createProjectService({
    store: { ...store, projects: { ...store.projects, rows } },
    onQueued: () => {},
    onStopped: () => {},
    now: () => now++,
  });
  const titles = Array.from({ length: 14 }, (_, index) => `Book ${index}`);
  for (const title of titles) await projects.create(userId, { title, text: "One." });
  const titlesOf = async (pageNumber: number) => {
    const { total, items } = await projects.list(userId, { pageSize: 12, pageNumber });
    return [total, ...items.map(({ title }) => title)];
  };
  const newest = titles.toReversed();
  assert.deepEqual(await titlesOf(1), [14, ...newest.slice(0, 12)]);
  assert.deepEqual(await titlesOf(2), [14, ...newest.slice(12)]);
  assert.equal(most, 5);
});
