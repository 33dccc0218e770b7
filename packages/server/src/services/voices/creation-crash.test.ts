import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "libsql";
import { databasePath } from "../../stores/sqlite.ts";
import { bundleScript } from "../../testing/bundle-script.ts";
import { createVoice } from "../../testing/create-voice.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { until } from "../../testing/until.ts";

const KEY = "test-key-0123456789abcdef";
/** PARLANCE_TEST_KILLS=50 kills more often. */
const KILLS = Number(process.env.PARLANCE_TEST_KILLS ?? 3);
const CLIENTS = 4;

describe("a server killed while voices are made", { timeout: 900_000 }, () => {
  it(`${KILLS} times: keeps every acknowledged voice, and no half of another`, async (context) => {
    const data = await temporaryFolder(context);
    const serve = await createServers(context, data);
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
    const { url } = await serve();
    assert.deepEqual(uploads(data), [], "recordings that were being received are removed");
    const stored = () => rows(data);
    await until(() => stored().every(({ refinement }) => refinement === "done" || refinement === "waiting"));
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
    context.diagnostic(
      `${acknowledged.size} voices were acknowledged, ${voices.length} stored, ${unfinished} uploads cut off`,
    );
  });
});

async function createServers(context: TestContext, data: string) {
  const script = await bundleScript("serve-cloning.ts");
  context.after(() => rmSync(script, { force: true }));
  return async () => {
    const child = fork(script, { execArgv: [] });
    context.after(() => child.kill("SIGKILL"));
    await once(child, "message");
    child.send({ PARLANCE_PORT: "0", PARLANCE_DATA: data, PARLANCE_ADMIN_KEY: KEY, PARLANCE_CONCURRENCY: "100" });
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
