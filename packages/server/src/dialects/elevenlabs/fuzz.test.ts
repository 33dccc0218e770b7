import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import fc from "fast-check";
import { authorization, recording, uploads } from "../../testing/asr-client.ts";
import { fuzzRuns } from "../../testing/fuzz-runs.ts";
import { mutated } from "../../testing/mutated-bytes.ts";
import { startTestServer, type TestServer } from "../../testing/test-server.ts";
import { until } from "../../testing/until.ts";

const FILE_FIELDS: Readonly<Record<string, string>> = { "/v1/speech-to-text": "file", "/v1/voices/add": "files" };

describe("the forms of ElevenLabs' API with random content", () => {
  let server: TestServer;
  before(async () => {
    server = await startTestServer({ config: { concurrency: 2 } });
  });
  after(() => server.close());

  /** Refused in the shape of the dialect, or served; never a fault, and nothing is left behind. */
  async function assertAnswered(
    path: string,
    headers: Record<string, string>,
    body: FormData | Uint8Array<ArrayBuffer>,
  ) {
    const response = await fetch(server.url + path, { method: "POST", headers: { authorization, ...headers }, body });
    const text = await response.text();
    assert.ok(response.status < 500, `${response.status} ${text.slice(0, 300)}`);
    if (response.status >= 400) assert.ok("detail" in JSON.parse(text), text);
    await until(() => server.activeRequests.size === 0);
    assert.deepEqual(await uploads(server), []);
  }

  const path = fc.constantFrom("/v1/speech-to-text", "/v1/voices/add");
  const file = mutated(fc.constant(Buffer.from(recording)));

  it("are answered", async () => {
    const text = fc.string({ unit: "binary", maxLength: 200 });
    const names = ["model_id", "language_code", "keyterms", "diarize", "source_url", "name", "description", "labels"];
    const field = fc.oneof(
      fc.tuple(fc.constant("timestamps_granularity"), fc.oneof(fc.constantFrom("none", "word", "character"), text)),
      fc.tuple(fc.constantFrom("remove_background_noise", "enhance_audio_quality"), fc.constantFrom("true", "x")),
      fc.tuple(fc.constantFrom(...names, "__proto__", "file", "files"), text),
      fc.tuple(text, text),
    );
    const fields = fc.array(field, { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(path, fields, file, fc.nat(2), async (route, given, audio, files) => {
        const data = new FormData();
        for (const [name, value] of given) data.append(name, value);
        for (let count = 0; count < files; count += 1) {
          data.append(FILE_FIELDS[route] ?? "", new Blob([Uint8Array.from(audio)]), "speech.wav");
        }
        await assertAnswered(route, {}, data);
      }),
      { numRuns: fuzzRuns(50), seed: 13, endOnFailure: true },
    );
  });

  it("are refused when they are broken", async () => {
    const part = (disposition: string, content: string) =>
      `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;
    const wav = Buffer.from(recording).toString("latin1");
    const wholes = Object.values(FILE_FIELDS).map((name) =>
      Buffer.from(`${part('name="name"', "Ann")}${part(`name="${name}"; filename="a.wav"`, wav)}--b--\r\n`, "latin1"),
    );
    const broken = mutated(fc.constantFrom(...wholes));
    await fc.assert(
      fc.asyncProperty(path, broken, async (route, body) => {
        await assertAnswered(route, { "content-type": "multipart/form-data; boundary=b" }, Uint8Array.from(body));
      }),
      { numRuns: fuzzRuns(40), seed: 14, endOnFailure: true },
    );
  });
});
