import assert from "node:assert/strict";
import { it } from "node:test";
import { callApi, cookieOf } from "../testing/account-client.ts";
import { connectLive } from "../testing/live-client.ts";
import { startTestServer, TEST_KEY } from "../testing/test-server.ts";
import { createToneSpeech } from "../testing/tone-speech.ts";
import { until } from "../testing/until.ts";
import { burstSamples, wavFile } from "../testing/wav-file.ts";
import { createLog } from "./log.ts";

/** Distinctive values that are easy to find in any output. */
const TEXT = "The treasure is buried under the third oak";
const WRONG_KEY = "wrong-key-zebra-0123456789";
const PASSWORD = "correct horse zebra";
const WRONG_PASSWORD = "battery staple zebra";
const EMAIL = "zebra.ada@example.org";
const QUERY = "zebra-in-the-address";
const METRICS_KEY = "zebra-prometheus-0123";

it("no secret and no spoken or transcribed text gets into the log, at any level, and each line has an event", {
  timeout: 120_000,
}, async (context) => {
  const lines: string[] = [];
  const log = createLog("trace", { write: (line) => lines.push(line) });
  let broken = false;
  const speech = createToneSpeech({
    before: () => {
      if (broken) throw new Error("the engine is out of order");
    },
  });
  const server = await startTestServer({ speech, config: { metricsKey: METRICS_KEY }, parts: { log } });
  context.after(() => server.close());
  const speak = async (body: unknown, headers: Readonly<Record<string, string | undefined>> = {}) =>
    (await server.post(body, { headers })).arrayBuffer().catch(() => undefined);

  await speak({ text: TEXT, format: "pcm" });
  await speak({ text: TEXT, format: "pcm" }, { authorization: `Bearer ${WRONG_KEY}` });
  await speak({ text: TEXT, format: "pcm" }, { authorization: undefined, cookie: `parlance_session=${WRONG_KEY}` });
  await speak({ text: TEXT, format: TEXT });
  await speak({ text: TEXT, reference_id: WRONG_KEY });
  await speak(`{"text": "${TEXT}`);
  await speak({ text: TEXT }, { "content-type": "text/xml" });
  await (await server.post({ text: TEXT, format: "pcm" }, { path: `/v1/tts?key=${QUERY}` })).arrayBuffer();
  await (await server.post({ text: TEXT }, { path: `/v1/tts/${QUERY}` })).arrayBuffer();
  broken = true;
  await speak({ text: TEXT, format: "pcm" });
  broken = false;

  const samples = wavFile(burstSamples(1.5, [{ start: 0.5, end: 1, level: 73 }]), 16_000);
  for (const audio of [samples, samples.subarray(0, 60)]) {
    const form = new FormData();
    form.set("audio", new Blob([audio]), "zebra-recording.wav");
    form.set("language", "zebra-language");
    const headers = { authorization: `Bearer ${TEST_KEY}` };
    await (await fetch(`${server.url}/v1/asr`, { method: "POST", headers, body: form })).arrayBuffer();
    form.delete("language");
    await (await fetch(`${server.url}/v1/asr`, { method: "POST", headers, body: form })).arrayBuffer();
  }

  const live = await connectLive(server.url);
  live.send({ event: "start", request: { text: TEXT, format: "pcm" } }, { event: "text", text: `${TEXT}. ` });
  live.send({ event: "stop" });
  await live.round();
  live.send({ event: "text", text: TEXT });
  live.send({ nonsense: TEXT });
  await live.close();
  await assert.rejects(connectLive(server.url, { headers: { authorization: `Bearer ${WRONG_KEY}` } }));

  const body = { email: EMAIL, password: PASSWORD };
  const user = await callApi(server, "POST", "/admin/users", { key: TEST_KEY, body });
  await callApi(server, "POST", "/account/sign-in", { body: { email: EMAIL, password: WRONG_PASSWORD } });
  const cookie = cookieOf(await callApi(server, "POST", "/account/sign-in", { body }));
  await callApi(server, "GET", "/account", { cookie });
  await callApi(server, "POST", "/account/password", {
    cookie,
    body: { current_password: PASSWORD, new_password: `${PASSWORD} two` },
  });
  const made = await callApi(server, "POST", "/account/keys", { key: TEST_KEY, body: { name: "zebra key" } });
  const link = await callApi(server, "POST", `/admin/users/${user.body._id}/link`, { key: TEST_KEY, body: {} });
  const token = String(link.body.url ?? link.body.link).split("#")[1] ?? assert.fail(JSON.stringify(link.body));
  await callApi(server, "POST", "/account/sign-in-link", { body: { token: `${token}x` } });
  const byLink = cookieOf(await callApi(server, "POST", "/account/sign-in-link", { body: { token } }));
  await callApi(server, "POST", "/account/sign-in-link", { body: { token } });
  await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_KEY}` } });
  await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${METRICS_KEY}x` } });
  await until(() => lines.filter((line) => line.includes('"request.finished"')).length >= 25);

  for (const line of lines) {
    const { level, event } = JSON.parse(line) as { readonly level: number; readonly event?: string };
    // Libraries write lines of their own at lower levels.
    if (level >= 30) assert.ok(event, line);
  }
  const all = lines.join("");
  const secretOf = (cookieHeader: string): string => cookieHeader.split("=")[1] ?? assert.fail(cookieHeader);
  const forbidden: Readonly<Record<string, string>> = {
    "the key": TEST_KEY,
    "a wrong key": WRONG_KEY,
    "a new key": String(made.body.key ?? made.body.secret),
    "the metrics key": METRICS_KEY,
    "a password": PASSWORD,
    "a wrong password": WRONG_PASSWORD,
    "an address": EMAIL,
    "a session": secretOf(cookie),
    "a session by link": secretOf(byLink),
    "a sign-in token": token,
    "a text": "treasure",
    "a part of a text": "third oak",
    "a query": QUERY,
    "a file's name": "zebra-recording",
    "anything marked": "zebra",
    "a transcript": '"73"',
  };
  for (const [what, secret] of Object.entries(forbidden)) {
    assert.ok(secret.length > 3, what);
    const found = lines.find((line) => line.toLowerCase().includes(secret.toLowerCase()));
    assert.equal(found, undefined, `${what} is in the log`);
  }
  assert.match(all, /"route":"\/v1\/tts"/, "and yet it says what happened");
  assert.match(all, /the engine is out of order/);
});
