import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createSpeech, type Speech } from "@parlance/speech";
import { connectLive, type LiveClient } from "../packages/server/src/testing/live-client.ts";
import { startTestServer, type TestServer } from "../packages/server/src/testing/test-server.ts";
import { testModels } from "../packages/speech/src/testing/models.ts";
import { until } from "./support/until.ts";

const SENTENCE = "The harbour was quiet, and the last of the boats had come in before the wind turned.";
const LONG = `${SENTENCE} `.repeat(40);
/** Far more streams than one worker can synthesize in real time, on any machine. */
const FLOOD = 60;

describe("a flood of requests", () => {
  let speech: Speech;
  let server: TestServer;

  before(async () => {
    const models = await testModels("kokoro-q8");
    speech = await createSpeech({ models, engines: ["kokoro"], workers: 1, queue: 10_000 });
    server = await startTestServer({ speech, config: { concurrency: 10_000 } });
  });
  after(async () => {
    await server.close();
    await speech.close();
  });

  const ask = () => server.post({ text: SENTENCE, format: "pcm", seed: 1 });

  it("completes the admitted requests and refuses the others with a retry time", async () => {
    const alone = Buffer.from(await (await ask()).arrayBuffer());
    const answers = await Promise.all(
      Array.from({ length: FLOOD }, async () => {
        const answer = await ask();
        return { answer, body: Buffer.from(await answer.arrayBuffer()) };
      }),
    );
    const taken = answers.filter(({ answer }) => answer.status === 200);
    const refused = answers.filter(({ answer }) => answer.status === 503);
    assert.equal(taken.length + refused.length, FLOOD);
    assert.ok(taken.length > 0 && refused.length > 0, `${taken.length} were taken, ${refused.length} refused`);
    for (const { body } of taken) assert.ok(body.equals(alone), "the audio is the same as on an idle machine");
    for (const { answer, body } of refused) {
      assert.equal(answer.headers.get("x-error-code"), "overloaded");
      const seconds = Number(answer.headers.get("retry-after"));
      assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, `retry-after: ${seconds}`);
      assert.deepEqual(Object.keys(JSON.parse(body.toString())).sort(), ["message", "status"]);
    }
    // Nothing is charged for refused requests, and nothing stays reserved.
    assert.deepEqual(await server.store.reservations.ofUser(server.adminId), []);
    const next = await ask();
    assert.equal(next.status, 200);
    await next.arrayBuffer();
  });

  it("ends a live round with a retry time, and speaks the next one on the same socket", async () => {
    const speaking: LiveClient[] = [];
    // Until one is refused: then all capacity is used.
    const refused = await until(
      async () => {
        const live = await connectLive(server.url);
        live.send({ event: "start", request: { text: LONG, format: "pcm" } });
        const first = await live.next();
        assert.ok(typeof first === "object");
        if (first.event === "audio") {
          speaking.push(live);
          return undefined;
        }
        assert.equal(first.reason, "error");
        assert.match(first.message ?? "", /busy.*retry in \d+ s/);
        if (speaking.length > 0) return live;
        // Earlier audio is still in flight.
        await live.close();
        return undefined;
      },
      { what: "a round is refused" },
    );
    for (const { socket } of speaking) socket.terminate();
    const isSpoken = async (): Promise<boolean> => {
      refused.send({ event: "start", request: { text: SENTENCE, format: "pcm" } }, { event: "stop" });
      return (await refused.round()).finish.reason === "stop";
    };
    await until(isSpoken, { what: "a round is spoken on the same socket", everyMs: 100 });
    await refused.close();
  });
});
