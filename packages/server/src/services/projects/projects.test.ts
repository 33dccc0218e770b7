import assert from "node:assert/strict";
import { it } from "node:test";
import { ApiError } from "@parlance/protocol";
import type { ProjectDetails } from "../../stores/projects.ts";
import { openSqliteStore } from "../../stores/sqlite.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { until } from "../../testing/until.ts";
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
