import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createBurstTranscription } from "../testing/burst-transcription.ts";
import { startTestServer, TEST_KEY, type TestServer } from "../testing/test-server.ts";
import { burstSamples, wavFile } from "../testing/wav-file.ts";

const WAV = wavFile(burstSamples(2, []), 16_000);
const HEADERS = { authorization: `Bearer ${TEST_KEY}` };

describe("hints for the recognizer", () => {
  const transcription = createBurstTranscription();
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ transcription });
  });
  after(() => server.close());

  const form = (path: string, fields: readonly (readonly [string, string])[]): Promise<Response> => {
    const body = new FormData();
    for (const [name, value] of fields) body.append(name, value);
    body.append("file", new Blob([WAV]));
    return fetch(server.url + path, { method: "POST", headers: HEADERS, body });
  };
  const listen = (query: string): Promise<Response> =>
    fetch(`${server.url}/v1/listen?${query}`, { method: "POST", headers: HEADERS, body: WAV });
  const hintsOf = async (sent: Promise<Response>): Promise<unknown> => {
    const response = await sent;
    assert.equal(response.status, 200, await response.text());
    const { hints, preferHints } = transcription.jobs.at(-1)?.request ?? {};
    return [hints?.keywords, hints?.prompt, preferHints];
  };

  it("are the keywords of each dialect, for which a recognizer that uses them is preferred", async () => {
    const keywords = ["Siobhan", "Kathryn Smyth"];
    const repeated = (name: string) => keywords.map((keyword) => [name, keyword] as const);
    const asked = [keywords, undefined, true];
    assert.deepEqual(await hintsOf(form("/v1/audio/transcriptions", repeated("keywords[]"))), asked);
    assert.deepEqual(await hintsOf(form("/v1/speech-to-text", repeated("keyterms"))), asked);
    assert.deepEqual(await hintsOf(listen("keyterm=Siobhan&keyterm=Kathryn%20Smyth")), asked);
    assert.deepEqual(await hintsOf(listen("keywords=Siobhan:2&keywords=Kathryn+Smyth:-1.5")), asked);
    assert.deepEqual(await hintsOf(listen("keyterm=Siobhan")), [["Siobhan"], undefined, true]);
  });

  it("are a prompt, which does not change the recognizer", async () => {
    const sent = form("/v1/audio/transcriptions", [["prompt", "A talk about Siobhan."]]);
    assert.deepEqual(await hintsOf(sent), [[], "A talk about Siobhan.", false]);
    assert.deepEqual(await hintsOf(form("/v1/audio/transcriptions", [])), [undefined, undefined, undefined]);
  });

  it("are the words that the account has pronunciations for", async (context) => {
    const put = (pronunciations: object) =>
      fetch(`${server.url}/account/pronunciations`, {
        method: "PUT",
        headers: { ...HEADERS, "content-type": "application/json" },
        body: JSON.stringify({ pronunciations }),
      });
    assert.equal((await put({ Nguyen: "win" })).status, 200);
    context.after(() => put({}));
    assert.deepEqual(await hintsOf(form("/v1/audio/transcriptions", [])), [["Nguyen"], undefined, undefined]);
    assert.deepEqual(await hintsOf(listen("keyterm=Siobhan")), [["Siobhan", "Nguyen"], undefined, true]);
  });

  it("are bounded in number and length", async () => {
    const many = Array.from({ length: 101 }, (_, index) => ["keywords[]", `word${index}`] as const);
    const refused = await form("/v1/audio/transcriptions", many);
    assert.equal(refused.status, 400);
    assert.match(await refused.text(), /keywords: 101 entries.*at most 100/);
    const long = await listen(`keyterm=${"x".repeat(65)}`);
    assert.deepEqual([long.status, JSON.parse(await long.text()).err_code], [400, "INVALID_VALUE"]);
    const prompt = await form("/v1/audio/transcriptions", [["prompt", "x".repeat(4097)]]);
    assert.equal(prompt.status, 413);
  });
});
