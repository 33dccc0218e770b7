import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "libsql";
import { createS3Objects } from "../../stores/s3-objects.ts";
import { databasePath, openSqliteStore } from "../../stores/sqlite.ts";
import { createLog } from "../../telemetry/log.ts";
import { bundleScript } from "../../testing/bundle-script.ts";
import { createVoice } from "../../testing/create-voice.ts";
import { startS3, type TestS3 } from "../../testing/s3-server.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { until } from "../../testing/until.ts";
import { checkObjects } from "./check-objects.ts";
import { createVoiceFiles } from "./voice-files.ts";

const KEY = "test-key-0123456789abcdef";
/** PARLANCE_TEST_KILLS=50 kills more often. */
const KILLS = Number(process.env.PARLANCE_TEST_KILLS ?? 2);
const CLIENTS = 4;

describe("a server killed while voices are made", { timeout: 900_000 }, () => {
  for (const place of ["the database", "S3"] as const) {
    it(`${KILLS} times: keeps every acknowledged voice in ${place}, and no half of another`, (context) =>
      killServers(context, place));
  }
});

async function killServers(context: TestContext, place: "the database" | "S3"): Promise<void> {
  const data = await temporaryFolder(context);
  const s3 = place === "S3" ? await startS3(context) : undefined;
  const serve = await createServers(context, data, s3?.env);
  const acknowledged = new Set<string>();
  let unfinished = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const server = await serve();
    const load = makeUntilGone(server.url, acknowledged);
    const enough = acknowledged.size + randomInt(1, 4);
    await until(() => acknowledged.size >= enough, { what: "voices are made" });
    await sleep(randomInt(0, 40));
    const exited = once(server.process, "exit");
    server.process.kill("SIGKILL");
    await exited;
    await load;
    unfinished += uploads(data).length;
  }
  const { url, process: last } = await serve();
  // It may already work on stored recordings, in a folder of its own.
  const left = uploads(data).filter((path) => !path.includes(`-${last.pid}-`));
  assert.deepEqual(left, [], "recordings that were being received are removed");
  const stored = () => rows(data);
  await until(() => stored().every(({ refinement }) => refinement === "done" || refinement === "queued"));
  const voices = stored();
  for (const id of acknowledged)
    assert.ok(
      voices.some((voice) => voice.id === id),
      `the voice ${id}`,
    );
  for (const { id, recordings, heard, embeddings } of voices)
    assert.deepEqual([recordings, heard, embeddings], [1, 1, 1], `the parts of ${id}`);
  assert.equal(orphans(data), 0, "parts without a voice");
  const made = await create(url);
  assert.equal(made.status, 201);
  if (s3) await assertFiles(data, s3, [...acknowledged]);
  context.diagnostic(
    `${acknowledged.size} voices were acknowledged, ${voices.length} stored, ${unfinished} uploads cut off`,
  );
}

/** Every voice has its recording, and every object is known, so that a sweep will find those of killed servers. */
async function assertFiles(data: string, s3: TestS3, voiceIds: readonly string[]): Promise<void> {
  const store = await openSqliteStore(data);
  try {
    const objects = createS3Objects(s3.settings);
    const files = createVoiceFiles({ store, objects, log: createLog("silent") });
    const { signal } = new AbortController();
    for (const id of voiceIds) {
      const recording = await store.voiceBlobs.find(id, "recording");
      assert.ok(recording?.object, `the recording of ${id} is in S3`);
      assert.ok(await files.read(recording, signal), `the recording of ${id} can be read`);
    }
    const { unknown } = await checkObjects(store, objects, async () => {}, signal);
    assert.equal(unknown, 0, "objects that the database does not know");
  } finally {
    await store.close();
  }
}

async function createServers(context: TestContext, data: string, env: Readonly<Record<string, string>> = {}) {
  const script = await bundleScript("serve-cloning.ts");
  context.after(() => rmSync(script, { force: true }));
  return async () => {
    const child = fork(script, { execArgv: [] });
    context.after(() => child.kill("SIGKILL"));
    await once(child, "message");
    child.send({
      ...env,
      PARLANCE_PORT: "0",
      PARLANCE_DATA: data,
      PARLANCE_ADMIN_KEY: KEY,
      PARLANCE_CONCURRENCY: "100",
    });
    const [url] = (await once(child, "message")) as [string];
    return { process: child, url };
  };
}

const create = (url: string): Promise<Response> => createVoice(url, KEY);

async function makeUntilGone(url: string, acknowledged: Set<string>): Promise<void> {
  const make = async (): Promise<void> => {
    for (;;) {
      try {
        const answer = await create(url);
        const { _id: id } = (await answer.json()) as { readonly _id: string };
        if (answer.status === 201) acknowledged.add(id);
      } catch {
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, make));
}

function uploads(data: string): readonly string[] {
  const folder = join(data, "uploads");
  return existsSync(folder) ? readdirSync(folder, { recursive: true }).map(String) : [];
}

interface StoredVoice {
  readonly id: string;
  readonly refinement: string;
  readonly recordings: number;
  readonly heard: number;
  readonly embeddings: number;
}

function rows(data: string): readonly StoredVoice[] {
  const count = (kind: string) => `(select count(*) from voice_blobs where voice_id = voices.id and kind = '${kind}')`;
  return query<StoredVoice>(
    data,
    `select id, refinement, ${count("recording")} as recordings, ${count("heard")} as heard,
     ${count("embedding")} as embeddings from voices where user_id is not null`,
  );
}

function orphans(data: string): number {
  const select = "select count(*) as n from voice_blobs where voice_id not in (select id from voices)";
  return query<{ readonly n: number }>(data, select)[0]?.n ?? 0;
}

function query<Row>(data: string, statement: string): readonly Row[] {
  const database = new Database(databasePath(data), { readonly: true });
  try {
    return database.prepare(statement).all([]) as Row[];
  } finally {
    database.close();
  }
}
