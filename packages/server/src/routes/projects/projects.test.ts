import assert from "node:assert/strict";
import { it } from "node:test";
import { creditsForText, PROJECT_LIMITS, type ProjectProgress, type ProjectRecord } from "@parlance/protocol";
import { MIGRATIONS } from "../../stores/migrations/index.ts";
import type { Migration } from "../../stores/migrations/migrate.ts";
import { callApi, signedIn } from "../../testing/account-client.ts";
import { onEachDatabase } from "../../testing/databases.ts";
import { connectLive } from "../../testing/live-client.ts";
import { addMember } from "../../testing/member.ts";
import { serveProjects } from "../../testing/project-server.ts";
import { untilNothingIsOpen } from "../../testing/stored-charges.ts";
import { startTestServer, TEST_KEY } from "../../testing/test-server.ts";
import { createToneSpeech } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";

const TEXT = "# One\n\nHello there. How are you?\n\nSecond paragraph.\n\n# Two\n\n* * *\n\nThe end.";

const textsOf = ({ jobs }: ReturnType<typeof createToneSpeech>) => jobs.map(({ request }) => request.text);

onEachDatabase("projects", (newDatabase) => {
  it("are divided, spoken paragraph by paragraph, and speak again only what has changed", async (context) => {
    const { speech, project, spoken, call } = await serveProjects(context, newDatabase);
    const { _id: id, chapters } = await project("POST", "", { title: "Story", text: TEXT, voice: "tone-two" });
    assert.deepEqual(
      chapters.map(({ title, paragraphs }) => [title, ...paragraphs.map(({ text }) => text)]),
      [
        ["One", "One", "Hello there. How are you?", "Second paragraph."],
        ["Two", "Two", "The end."],
      ],
    );
    // The work may have begun before the response is made.
    assert.match((await project("POST", `/${id}/speak`, {})).job, /^(waiting|running)$/);
    const first = await spoken(id);
    assert.equal(first.job_error, null);
    assert.deepEqual([first.job, first.spoken, first.paragraphs], ["idle", 5, 5]);
    assert.deepEqual(textsOf(speech), ["One", "Hello there. How are you?", "Second paragraph.", "Two", "The end."]);
    assert.ok(first.chapters.every(({ paragraphs }) => paragraphs.every(({ duration }) => (duration ?? 0) > 0)));

    const progress = (await (await call("GET", `/${id}/progress`)).json()) as ProjectProgress;
    const durations = first.chapters.flatMap(({ paragraphs }) =>
      paragraphs.map(({ audio, duration }) => [audio, duration]),
    );
    assert.deepEqual(progress, {
      job: "idle",
      job_error: null,
      updated_at: first.updated_at,
      audio_bytes: first.audio_bytes,
      durations: Object.fromEntries(durations),
    });

    // A word that one paragraph has, a speaker of another one, and one paragraph again.
    speech.jobs.length = 0;
    const changed = first.chapters.map(({ title, paragraphs }) => ({
      title,
      paragraphs: paragraphs.map(({ text, take }) => ({
        text,
        take,
        ...(text === "The end." ? { speaker: "Ann" } : {}),
      })),
    }));
    const speakers = { Ann: "tone-three" };
    await project("PATCH", `/${id}`, { chapters: changed, speakers, pronunciations: { second: "sekkond" } });
    await project("POST", `/${id}/speak`, { chapter: 0, paragraph: 1 });
    const again = await spoken(id);
    assert.deepEqual(textsOf(speech), ["Hello there. How are you?", "Second paragraph.", "The end."]);
    assert.deepEqual([again.spoken, again.chapters[0]?.paragraphs[1]?.take], [5, 1]);
    const kept = await call("GET", `/${id}/audio/${first.chapters[0]?.paragraphs[1]?.audio}`);
    assert.equal(kept.status, 404, "audio that is not used any more is removed");

    const { audio } = again.chapters[0]?.paragraphs[0] ?? assert.fail("no paragraph");
    const ogg = await call("GET", `/${id}/audio/${audio}`);
    assert.equal(ogg.headers.get("content-type"), "audio/ogg");
    assert.equal(Buffer.from(await ogg.arrayBuffer()).toString("latin1", 0, 4), "OggS");
    assert.equal((await call("DELETE", `/${id}`)).status, 204);
    assert.equal((await call("GET", `/${id}`)).status, 404);
  });

  it("keep changes of different parts that are made at the same time", async (context) => {
    const { project } = await serveProjects(context, newDatabase);
    const { _id: id } = await project("POST", "", { title: "Story", text: TEXT });
    for (let count = 0; count < 5; count++) {
      const title = `Title ${count}`;
      const chapters = [{ title, paragraphs: [{ text: title }] }];
      const changes = [{ title }, { chapters }, { speed: 1 + count / 10 }];
      await Promise.all(changes.map((change) => project("PATCH", `/${id}`, change)));
      const changed = await project("GET", `/${id}`);
      assert.deepEqual(
        [changed.title, changed.chapters[0]?.title, changed.speed, changed.paragraphs],
        [title, title, 1 + count / 10, 1],
      );
    }
  });

  it("keep changes of one part that are made at the same time", async (context) => {
    const { project } = await serveProjects(context, newDatabase);
    const { _id: id } = await project("POST", "", { title: "Story", text: TEXT });
    for (let count = 1; count <= 5; count++) {
      const changes = [{ speed: 1 + count / 10 }, { voice: `voice-${count}` }, { speakers: { Ann: `ann-${count}` } }];
      await Promise.all([
        ...changes.map((change) => project("PATCH", `/${id}`, change)),
        ...[0, 1, 2].map((paragraph) => project("POST", `/${id}/speak`, { chapter: 0, paragraph })),
      ]);
      const { speed, voice, speakers, chapters } = await project("GET", `/${id}`);
      assert.deepEqual([{ speed }, { voice }, { speakers }], changes);
      assert.deepEqual(
        chapters[0]?.paragraphs.map(({ take }) => take),
        [count, count, count],
      );
    }
  });

  it("keep a bounded number of audio that is not used any more", async (context) => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { server, speech, project, spoken } = await serveProjects(context, newDatabase, { before: () => held });
    const { _id: id } = await project("POST", "", { title: "Story", text: TEXT });
    const audio = { durationMs: 1, words: [], bytes: Buffer.alloc(1) };
    await server.store.transaction(async ({ projects }) => {
      for (let count = 0; count <= PROJECT_LIMITS.paragraphs; count++)
        await projects.audio.put(id, { ...audio, hash: String(count) });
    });
    await project("POST", `/${id}/speak`, {});
    await until(() => speech.jobs.length > 0);
    assert.equal((await server.store.projects.audio.list(id)).size, 0);
    release();
    assert.equal((await spoken(id)).spoken, 5);
  });

  it("are exported as one file or by chapter, with subtitles that fit", async (context) => {
    const { project, spoken, call } = await serveProjects(context, newDatabase);
    const { _id: id } = await project("POST", "", { title: "Story", text: TEXT });
    const early = await call("GET", `/${id}/export?format=wav`);
    assert.equal(early.headers.get("x-error-code"), "project_incomplete");
    await project("POST", `/${id}/speak`, {});
    const { chapters } = await spoken(id);
    const length = (of: typeof chapters): number =>
      of.reduce((all, { paragraphs }) => {
        const speech = paragraphs.reduce((sum, { duration }) => sum + (duration ?? 0), 0);
        return all + speech + (paragraphs.length - 1) * 0.6 + 1.5;
      }, 0);
    for (const [query, expected] of [
      ["?format=wav", length(chapters)],
      ["?format=wav&chapter=1", length(chapters.slice(1))],
    ] as const) {
      const wav = Buffer.from(await (await call("GET", `/${id}/export${query}`)).arrayBuffer());
      assert.ok(Math.abs((wav.length - 44) / 2 / wav.readUInt32LE(24) - expected) < 0.001, query);
    }
    const named = await call("GET", `/${id}/export?format=mp3&chapter=1`);
    assert.equal(
      named.headers.get("content-disposition"),
      `attachment; filename="project.mp3"; filename*=UTF-8''2%20Two.mp3`,
    );
    await named.body?.cancel();
    const book = Buffer.from(await (await call("GET", `/${id}/export?format=m4b`)).arrayBuffer());
    assert.equal(book.toString("latin1", 4, 12), "ftypM4B ");
    assert.equal(book.subarray(book.indexOf("chpl") + 12)[0], 2);
    const srt = await (await call("GET", `/${id}/subtitles?format=srt`)).text();
    assert.match(srt, /^1\n00:00:00,\d{3} --> [\s\S]*The end\./);
    assert.match(await (await call("GET", `/${id}/subtitles?format=vtt&chapter=1`)).text(), /^WEBVTT/);
    assert.equal((await call("GET", `/${id}/export?format=midi`)).status, 422);
    assert.equal((await call("GET", `/${id}/export?format=mp3&chapter=9`)).status, 400);
  });

  it("continue after a restart, and stop on request", async (context) => {
    let hold = true;
    const waiting: (() => void)[] = [];
    const before = (_part: number, signal: AbortSignal) =>
      hold
        ? new Promise<void>((resolve) => {
            waiting.push(resolve);
            signal.addEventListener("abort", () => resolve(), { once: true });
          })
        : undefined;
    const first = await serveProjects(context, newDatabase, { before });
    const { _id: id } = await first.project("POST", "", { title: "Story", text: TEXT });
    await first.project("POST", `/${id}/speak`, {});
    await until(() => first.speech.jobs.length === 1);
    assert.equal((await first.project("GET", `/${id}`)).job, "running");
    assert.equal((await first.project("DELETE", `/${id}/speak`)).job, "idle");
    await until(() => first.speech.jobs[0]?.ended === true);
    assert.equal((await first.project("GET", `/${id}`)).spoken, 0);
    await first.project("POST", `/${id}/speak`, {});
    await until(() => first.speech.jobs.length === 2);
    await first.server.close();

    hold = false;
    const store = await first.database.open();
    const rows = await store.projects.find(id);
    assert.deepEqual([rows?.job, rows?.jobError], ["waiting", null]);
    const speech = createToneSpeech();
    const server = await startTestServer({ speech, config: first.database.config });
    context.after(() => server.close());
    await until(async () => (await store.projects.find(id))?.job === "idle");
    assert.equal((await store.projects.audio.list(id)).size, 5);
    assert.equal(speech.jobs.length, 5);
  });

  it("of several accounts take turns, and one without a free slot keeps no other waiting", async (context) => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { server, speech, call, project, spoken } = await serveProjects(
      context,
      newDatabase,
      { before: () => held },
      { concurrency: 1 },
    );
    const member = await addMember(server);
    const ofMember = async (path: string, body: object) =>
      (await (await call("POST", path, body, member.key)).json()) as ProjectRecord;
    const jobOf = async (id: string) => (await server.store.projects.findRow(id))?.job;

    const { _id: first } = await project("POST", "", { title: "First", text: "One.\n\nTwo.\n\nThree." });
    const { _id: second } = await ofMember("", { title: "Second", text: "Another." });
    await project("POST", `/${first}/speak`, {});
    await until(() => speech.jobs.length === 1);
    await ofMember(`/${second}/speak`, {});
    release();
    await spoken(first);
    assert.deepEqual(textsOf(speech), ["One.", "Another.", "Two.", "Three."]);

    // The upgrade takes the only slot of the account.
    const socket = await connectLive(server.url);
    await project("POST", `/${first}/speak`, { chapter: 0, paragraph: 0 });
    await until(async () => (await jobOf(first)) === "running");
    await ofMember(`/${second}/speak`, { chapter: 0, paragraph: 0 });
    await until(async () => (await jobOf(second)) === "idle");
    assert.deepEqual(textsOf(speech).slice(4), ["Another."]);
    await socket.close();
    assert.deepEqual([(await spoken(first)).job, textsOf(speech).at(-1)], ["idle", "One."]);
  });

  it("are charged once when another node took over from a running one", async (context) => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = await serveProjects(context, newDatabase, { before: () => held });
    const { _id: id } = await first.project("POST", "", { title: "Story", text: "Hello there." });
    await first.project("POST", `/${id}/speak`, {});
    await until(() => first.speech.jobs.length === 1);
    const store = await first.database.open();
    const [node, ...others] = await store.nodes.list();
    assert.deepEqual(others, []);
    await store.projects.queue.requeueAfterCrash(node?.id ?? "");

    const second = createToneSpeech();
    const server = await startTestServer({ speech: second, config: first.database.config });
    context.after(() => server.close());
    // The project waits already: this makes the node look for work now.
    const headers = { authorization: `Bearer ${TEST_KEY}`, "content-type": "application/json" };
    await fetch(`${server.url}/projects/${id}/speak`, { method: "POST", headers, body: "{}" });
    await until(async () => (await store.projects.find(id))?.job === "idle");
    assert.equal(second.jobs.length, 1);
    const audio = await store.projects.audio.list(id);
    release();
    await until(() => first.speech.jobs[0]?.ended === true);
    const { userId } = (await store.projects.find(id)) ?? assert.fail("no project");
    await untilNothingIsOpen(store, [userId]);
    const costs = new Map<string, number>();
    for (const { requestId, kind, amount } of await store.ledger.listOf(userId, { limit: 100 }))
      if (kind !== "refill") costs.set(requestId, (costs.get(requestId) ?? 0) - amount);
    assert.deepEqual(
      [...costs.values()].sort((a, b) => a - b),
      [0, creditsForText("Hello there.")],
    );
    assert.deepEqual(await store.projects.audio.list(id), audio);
  });

  it("are paid for like speech, and say why they failed", async (context) => {
    const { project, spoken, server } = await serveProjects(context, newDatabase);
    const { _id: id } = await project("POST", "", { title: "Story", text: "Hello.", voice: "nobody" });
    await project("POST", `/${id}/speak`, {});
    const failed = await spoken(id);
    assert.equal(failed.job, "failed");
    assert.match(failed.job_error ?? "", /there is no voice "nobody"/);
    assert.match(server.log.join("\n"), /"event":"project.failed"/);
    await project("PATCH", `/${id}`, { voice: "tone-one" });
    await project("POST", `/${id}/speak`, {});
    assert.equal((await spoken(id)).job, "idle");
    const ledger = await fetch(`${server.url}/wallet/self/ledger`, {
      headers: { authorization: `Bearer ${TEST_KEY}` },
    });
    assert.match(await ledger.text(), /"tts"/);
  });

  it("stop at the bound on the audio of an account", async (context) => {
    const { project, spoken, call, database } = await serveProjects(context, newDatabase);
    const { _id: id } = await project("POST", "", { title: "Story", text: "One.\n\nTwo." });
    await project("POST", `/${id}/speak`, {});
    assert.equal((await spoken(id)).spoken, 2);
    // Gigabytes of audio would take long to make: the rows say that they have them.
    const size = PROJECT_LIMITS.audioBytes / 2;
    const grow: Migration["up"] = async (db) => {
      await db.updateTable("project_audio").set({ size }).execute();
    };
    await database.open([...MIGRATIONS, { name: "grown audio", up: grow, expands: true }]);
    const { _id: other } = await project("POST", "", { title: "Another", text: "Three." });
    await project("POST", `/${other}/speak`, {});
    const full = await spoken(other);
    assert.deepEqual([full.job, full.spoken], ["failed", 0]);
    assert.match(full.job_error ?? "", /takes 4000 MB, and may take no more/);
    assert.equal((await call("DELETE", `/${id}`)).status, 204);
    await project("POST", `/${other}/speak`, {});
    assert.deepEqual([(await spoken(other)).job, (await spoken(other)).spoken], ["idle", 1]);
  });

  it("take as many paragraphs as they may have, with every field, and a body of no more", async (context) => {
    const { project, call } = await serveProjects(context, newDatabase);
    const paragraphs = Array.from({ length: PROJECT_LIMITS.paragraphs }, (_, index) => ({
      ...{ text: `Line ${index}.`, voice: "tone-two", speaker: "Ann", take: 1 },
    }));
    const { paragraphs: count } = await project("POST", "", { title: "x", chapters: [{ title: "One", paragraphs }] });
    assert.equal(count, PROJECT_LIMITS.paragraphs);
    const { chapters } = await project("POST", "", { title: "x", text: "# a\n\n".repeat(PROJECT_LIMITS.chapters) });
    assert.equal(chapters.length, PROJECT_LIMITS.chapters);
    const empty = Array.from({ length: PROJECT_LIMITS.bodyElements }, () => ({}));
    assert.equal((await call("POST", "", { title: "x", chapters: empty })).status, 422);
  });

  it("have limits, and belong to their account", async (context) => {
    const { call, project, server } = await serveProjects(context, newDatabase);
    for (const [body, status] of [
      [{}, 422],
      [
        {
          title: "x",
          chapters: [{ title: "", paragraphs: [{ text: "x".repeat(PROJECT_LIMITS.paragraphCharacters + 1) }] }],
        },
        422,
      ],
      [{ title: "x", text: "a\n\n".repeat(PROJECT_LIMITS.paragraphs + 1) }, 400],
      [{ title: "x", text: "# a\n\n".repeat(PROJECT_LIMITS.chapters + 1) }, 400],
      [{ title: "x", text: "***\n\n".repeat(5 * PROJECT_LIMITS.paragraphs + 1) }, 400],
      [{ title: "x", pronunciations: { GIF: "/123/" } }, 400],
      [{ title: "x", speed: 9 }, 422],
    ] as const) {
      assert.equal((await call("POST", "", body)).status, status, JSON.stringify(body).slice(0, 60));
    }
    const { _id: id } = await project("POST", "", { title: "Mine", text: "Hello." });
    const { cookie } = await signedIn(server);
    for (const [method, path, body] of [
      ["GET", ""],
      ["PATCH", "", { title: "Theirs" }],
      ["POST", "/speak", {}],
      ["DELETE", "/speak"],
      ["GET", "/progress"],
      ["GET", "/audio/x"],
      ["GET", "/export?format=wav"],
      ["GET", "/subtitles?format=srt"],
      ["DELETE", ""],
    ] as const) {
      const { status } = await callApi(server, method, `/projects/${id}${path}`, { cookie, ...(body && { body }) });
      assert.equal(status, 404, `${method} ${path} of another account`);
    }
    assert.equal((await project("GET", `/${id}`)).title, "Mine");
    assert.equal((await callApi(server, "GET", "/projects", { cookie })).body.total, 0);
    for (const path of [`/${"0".repeat(32)}`, "/x", `/${id}/audio/x`])
      assert.equal((await call("GET", path)).status, 404);
    assert.equal((await call("POST", `/${id}/speak`, { chapter: 7, paragraph: 0 })).status, 404);
    for (let count = 1; count < PROJECT_LIMITS.projects; count += 1) await project("POST", "", { title: `${count}` });
    const refused = await call("POST", "", { title: "one more" });
    assert.equal(refused.headers.get("x-error-code"), "too_many_projects");
    const list = (await (await call("GET", "?page_size=100")).json()) as { total: number; items: unknown[] };
    assert.deepEqual([list.total, list.items.length], [PROJECT_LIMITS.projects, PROJECT_LIMITS.projects]);
  });
});
