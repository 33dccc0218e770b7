import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { ProjectRecord } from "@parlance/protocol";
import type { NewDatabase } from "./databases.ts";
import { startTestServer, TEST_KEY } from "./test-server.ts";
import { createToneSpeech, type ToneOptions } from "./tone-speech.ts";
import { until } from "./until.ts";

/** A server that speaks tones, with calls of its projects. */
export async function serveProjects(
  context: TestContext,
  newDatabase: NewDatabase,
  tone: ToneOptions = {},
  limits: { concurrency?: number } = {},
) {
  const database = await newDatabase(context);
  const speech = createToneSpeech(tone);
  const server = await startTestServer({ speech, config: { ...database.config, ...limits } });
  context.after(() => server.close());
  const call = async (method: string, path: string, body?: unknown, key = TEST_KEY) =>
    fetch(`${server.url}/projects${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const project = async (method: string, path: string, body?: unknown): Promise<ProjectRecord> => {
    const response = await call(method, path, body);
    const text = await response.text();
    assert.ok(response.ok, `${response.status} ${text}`);
    return JSON.parse(text) as ProjectRecord;
  };
  const spoken = async (id: string): Promise<ProjectRecord> => {
    let found = await project("GET", `/${id}`);
    await until(async () => {
      found = await project("GET", `/${id}`);
      return found.job === "idle" || found.job === "failed";
    });
    return found;
  };
  return { server, speech, call, project, spoken, database };
}
