import assert from "node:assert/strict";
import { once } from "node:events";
import { describe, it } from "node:test";
import { encodeMessagePack } from "@parlance/protocol";
import fc from "fast-check";
import { fuzzRuns } from "../../../testing/fuzz-runs.ts";
import { connectLive, type LiveClient } from "../../../testing/live-client.ts";
import { startTestServer } from "../../../testing/test-server.ts";
import { createToneSpeech, createUnreliableSpeech } from "../../../testing/tone-speech.ts";
import { until } from "../../../testing/until.ts";

const request = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ text: "", format: "pcm", sample_rate: 8000 }) },
  {
    weight: 1,
    arbitrary: fc.record({ text: fc.string(), format: fc.constantFrom("pcm", "wav", "mp3", "midi", null) }),
  },
  { weight: 1, arbitrary: fc.constant({ text: "Fail. " }) },
  { weight: 1, arbitrary: fc.anything() },
);
const frame = fc.oneof(
  { weight: 4, arbitrary: fc.record({ event: fc.constant("start"), request }) },
  { weight: 6, arbitrary: fc.record({ event: fc.constant("text"), text: fc.string({ unit: "binary" }) }) },
  { weight: 4, arbitrary: fc.constantFrom({ event: "text", text: "Words. " }, { event: "text", text: "half" }) },
  { weight: 2, arbitrary: fc.constant({ event: "flush" }) },
  { weight: 4, arbitrary: fc.constant({ event: "stop" }) },
  { weight: 1, arbitrary: fc.record({ event: fc.string(), text: fc.anything() }) },
);
/** Mostly valid frames, some with changed bytes, some random bytes. */
const message = fc.oneof(
  { weight: 200, arbitrary: frame.map(encoded) },
  {
    weight: 1,
    arbitrary: fc.tuple(frame.map(encoded), fc.nat(), fc.nat(255)).map(([bytes, at, value]) => {
      const changed = Buffer.from(bytes);
      if (changed.length > 0) changed[at % changed.length] = value;
      return changed;
    }),
  },
  { weight: 1, arbitrary: fc.tuple(frame.map(encoded), fc.nat()).map(([bytes, at]) => bytes.subarray(0, at % 40)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)) },
  { weight: 1, arbitrary: fc.string() },
);

/** So many are used at once, since a socket with failed rounds is made to wait. */
const SOCKETS = 40;
/** What one client does with its socket. */
const visit = fc.record({
  messages: fc.array(message, { minLength: 20, maxLength: 60 }),
  path: fc.constantFrom("/v1/tts/live", "/v1/tts/live/with-timestamp"),
  ending: fc.constantFrom("finish", "terminate"),
});
type Visit = typeof visit extends fc.Arbitrary<infer Value> ? Value : never;

/** Values that MessagePack cannot encode are replaced by another invalid value. */
function encoded(value: unknown): Buffer {
  try {
    return Buffer.from(encodeMessagePack(value));
  } catch {
    return Buffer.of(0xc1);
  }
}

describe("random and mutated frames in any order", () => {
  it("never crash or block the server, and leave no slot and no work behind", async (context) => {
    const speech = createUnreliableSpeech();
    const server = await startTestServer({ speech, config: { concurrency: SOCKETS } });
    context.after(() => server.close());
    const use = async ({ messages, path, ending }: Visit): Promise<void> => {
      const client = await connectLive(server.url, { path });
      for (const each of messages) client.socket.send(each);
      if (ending === "terminate") client.socket.terminate();
      else await answered(client);
    };
    await fc.assert(
      fc.asyncProperty(fc.array(visit, { minLength: SOCKETS, maxLength: SOCKETS }), async (visits) => {
        await Promise.all(visits.map(use));
        await until(() => server.activeRequests.size === 0 && server.activeRequests.connections === 0);
        assert.ok(speech.jobs.every((job) => job.ended));
      }),
      { numRuns: fuzzRuns(5), endOnFailure: true },
    );
    // All slots are free, and the server speaks.
    const clients = await Promise.all(Array.from({ length: SOCKETS }, () => connectLive(server.url)));
    for (const client of clients) {
      client.send({ event: "start", request: { format: "pcm" } }, { event: "text", text: "Words." }, { event: "stop" });
      assert.equal((await client.round()).finish.reason, "stop");
      await client.close();
    }
    assert.ok(!server.log.some((line) => line.includes("a live session has failed")));
  });
});

describe("valid frames in any order", () => {
  const order = fc.array(
    fc.constantFrom(
      { event: "start", request: { format: "pcm", sample_rate: 8000 } },
      { event: "start", request: { format: "pcm", text: "At once. " } },
      { event: "start", request: { format: "midi" } },
      { event: "text", text: "Words. " },
      { event: "text", text: "half a sentence" },
      { event: "text", text: "" },
      { event: "flush" },
      { event: "stop" },
      { event: "unknown" },
    ),
    { maxLength: 18 },
  );

  it("get one finish for each start and for each text that begins a round", async (context) => {
    const server = await startTestServer({ speech: createToneSpeech({ samplesPerPart: 200 }) });
    context.after(() => server.close());
    await fc.assert(
      fc.asyncProperty(order, async (frames) => {
        let expected = 0;
        let [isOpen, isStarted, isClosed] = [false, false, false];
        for (const { event, ...rest } of frames) {
          if (isClosed) break;
          const hasText = event === "text" && "text" in rest && rest.text !== "";
          if (event === "start" || (hasText && !isOpen)) expected += 1;
          if (hasText && !isStarted) isClosed = true;
          if (event === "start") isStarted = true;
          if (event === "start" || hasText) isOpen = true;
          else if (event === "stop") isOpen = false;
        }
        const client = await connectLive(server.url);
        client.send(...frames, { event: "stop" });
        for (let finishes = 0; finishes < expected; finishes += 1) await client.round();
        if (isClosed) assert.equal(await client.next(), 1008);
        else {
          client.socket.ping();
          const more = await Promise.race([client.next(), once(client.socket, "pong").then(() => "nothing more")]);
          assert.equal(more, "nothing more");
        }
        await client.close();
      }),
      { numRuns: fuzzRuns(60) },
    );
  });
});

/** A sample rate that no other round uses, which identifies the last round. */
const MARKED_RATE = 8000;

function isMarked(audio: Uint8Array): boolean {
  const bytes = Buffer.from(audio);
  return bytes.length === 44 && bytes.toString("latin1", 0, 4) === "RIFF" && bytes.readUInt32LE(24) === MARKED_RATE;
}

/** After any frames, an open socket still serves a round, and a closed one has a reason. */
async function answered(client: LiveClient): Promise<void> {
  const marked = { text: "", format: "wav", sample_rate: MARKED_RATE };
  client.send({ event: "stop" }, { event: "start", request: marked }, { event: "stop" });
  let last = "";
  for (;;) {
    const item = await client.next();
    if (typeof item === "number") {
      assert.ok([1003, 1007, 1008].includes(item), `closed with ${item}`);
      assert.equal(last, "error", "it says why before it closes");
      return;
    }
    if (item.event === "finish") last = item.reason;
    else if (isMarked(item.audio)) {
      const end = await client.next();
      assert.deepEqual(end, { event: "finish", reason: "stop" });
      return client.close();
    }
  }
}
