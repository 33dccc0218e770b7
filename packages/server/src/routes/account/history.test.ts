import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { HISTORY_LIMITS, historyPage, historyRecord } from "@parlance/protocol";
import type { Config } from "../../config/config.ts";
import { addMember } from "../../testing/member.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../../testing/test-server.ts";
import { createToneSpeech } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";

const AUTHORIZED = { authorization: `Bearer ${TEST_KEY}` };

async function serve(context: TestContext, history: Config["history"], speech = createToneSpeech()) {
  const server = await startTestServer({ speech, config: { history } });
  context.after(() => server.close());
  return server;
}

const get = (server: TestServer, path: string, headers: Record<string, string> = AUTHORIZED) =>
  fetch(`${server.url}/account/history${path}`, { headers });
const list = async (server: TestServer) => historyPage.parse(await (await get(server, "")).json());

describe("/account/history", () => {
  it("keeps speech with its words and audio, in any format", async (context) => {
    const server = await serve(context, "all");
    const before = await fetch(`${server.url}/wallet/self/package`, { headers: AUTHORIZED });
    const { balance } = (await before.json()) as { balance: number };
    const spoken = [
      { text: "Good day.", format: "pcm", sample_rate: 16000 },
      { text: "As a file.", format: "wav", sample_rate: 16000 },
    ];
    for (const body of spoken) {
      const response = await server.post(body);
      await response.arrayBuffer();
      const id = response.headers.get("x-history-id") ?? assert.fail("no id");
      const entry = historyRecord.parse(await (await get(server, `/${id}`)).json());
      assert.deepEqual([entry.kind, entry.text, entry.complete], ["speech", body.text, true]);
      assert.equal(entry.words[0]?.text, body.text.split(" ")[0]);
      assert.ok(entry.duration > 0 && entry.audio_bytes > 0);
      assert.equal(entry.trace_id, response.headers.get("x-trace-id"));
      const kept = await get(server, `/${id}/audio`);
      assert.equal(kept.headers.get("content-type"), "audio/ogg");
      assert.equal((await kept.arrayBuffer()).byteLength, entry.audio_bytes);
      const wav = await get(server, `/${id}/audio?format=wav`);
      assert.equal(wav.headers.get("content-type"), "audio/wav");
      const seconds = ((await wav.arrayBuffer()).byteLength - 44) / 88_200;
      assert.ok(Math.abs(seconds - entry.duration) < 0.2, `${seconds} of ${entry.duration} seconds`);
    }
    assert.equal((await list(server)).total, 2);
    const after = await fetch(`${server.url}/wallet/self/package`, { headers: AUTHORIZED });
    const paid = balance - ((await after.json()) as { balance: number }).balance;
    assert.equal(
      paid,
      spoken.reduce((sum, { text }) => sum + text.length, 0),
      "downloads cost nothing",
    );
  });

  it("keeps the speech of keys only where it is configured", async (context) => {
    for (const mode of ["dashboard", "off"] as const) {
      const server = await serve(context, mode);
      const response = await server.post({ text: "Not kept.", format: "pcm" });
      await response.arrayBuffer();
      assert.equal(response.headers.get("x-history-id"), null);
      assert.equal((await list(server)).total, 0);
    }
  });

  it("keeps what was made for a client that stopped", async (context) => {
    const before = (part: number, signal: AbortSignal): Promise<void> | void => {
      if (part > 1) return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
    };
    const server = await serve(context, "all", createToneSpeech({ before }));
    const caller = new AbortController();
    const response = await server.post({ text: "One two.", format: "pcm" }, { signal: caller.signal });
    await response.body?.getReader().read();
    caller.abort();
    const [entry] = await until(async () => {
      const { items } = await list(server);
      return items.length > 0 ? items : undefined;
    });
    assert.equal(entry?.complete, false);
  });

  it("keeps a transcript with its recording, within limits", async (context) => {
    const server = await serve(context, "dashboard");
    const body = {
      title: "Talk",
      text: "Hello.",
      words: [{ text: "Hello.", start: 0, end: 1, speaker: "Ada" }],
      duration: 1,
    };
    const send = (content: unknown) =>
      fetch(`${server.url}/account/history`, {
        method: "POST",
        headers: { ...AUTHORIZED, "content-type": "application/json" },
        body: JSON.stringify(content),
      });
    const added = historyRecord.parse(await (await send(body)).json());
    assert.equal(added.words[0]?.speaker, "Ada");
    const at = `${server.url}/account/history/${added._id}`;
    const put = (bytes: number, type: string) =>
      fetch(`${at}/audio`, {
        method: "PUT",
        headers: { ...AUTHORIZED, "content-type": type },
        body: new Uint8Array(bytes),
      });
    assert.equal((await put(1000, "text/html")).status, 204);
    assert.equal(
      (await fetch(`${at}/audio`, { headers: AUTHORIZED })).headers.get("content-type"),
      "application/octet-stream",
    );
    assert.equal((await put(HISTORY_LIMITS.audioBytes + 1, "audio/wav")).status, 413);
    assert.equal((await send({ ...body, title: "x".repeat(HISTORY_LIMITS.titleCharacters + 1) })).status, 422);
    const words = (count: number) => Array.from({ length: count }, () => body.words[0]);
    assert.equal((await send({ ...body, words: words(HISTORY_LIMITS.words) })).status, 201);
    assert.equal((await send({ ...body, words: words(HISTORY_LIMITS.words + 1) })).status, 422);
    const empty = await send({ ...body, words: Array.from({ length: HISTORY_LIMITS.bodyElements }, () => ({})) });
    assert.match(await empty.text(), /more than 64000 elements/);
    const member = await addMember(server);
    assert.equal((await fetch(at, { headers: member.headers })).status, 404);
    assert.equal((await fetch(at, { method: "DELETE", headers: AUTHORIZED })).status, 204);
    assert.equal((await get(server, `/${added._id}`)).status, 404);
    assert.equal((await get(server, "/not-an-id")).status, 404);
    assert.equal((await get(server, "?page_size=101")).status, 422);
  });
});
