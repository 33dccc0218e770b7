import assert from "node:assert/strict";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { LIMITS } from "@parlance/protocol";
import fc from "fast-check";
import { fuzzRuns } from "../../testing/fuzz-runs.ts";
import { startTestServer } from "../../testing/test-server.ts";
import { createUnreliableSpeech } from "../../testing/tone-speech.ts";
import { until } from "../../testing/until.ts";
import { connectWyoming, type WyomingClient } from "../../testing/wyoming-client.ts";
import { encodeEvent } from "./events.ts";

const FORMAT = { rate: 16_000, width: 2, channels: 1 };
const data = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom({}, { text: "Words. " }, { text: "half" }, FORMAT, { language: "en" }) },
  { weight: 1, arbitrary: fc.record({ text: fc.anything(), voice: fc.anything(), rate: fc.anything() }) },
);
const type = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      ...["describe", "ping", "synthesize", "synthesize-start", "synthesize-chunk", "synthesize-stop"],
      ...["transcribe", "audio-start", "audio-chunk", "audio-stop"],
    ),
  },
  { weight: 1, arbitrary: fc.string() },
);
const event = fc
  .tuple(type, data, fc.uint8Array({ maxLength: 64 }))
  .map(([name, content, payload]) => encoded(name, content, payload));
/** Mostly valid events, some with changed bytes, some cut short, some random bytes. */
const message = fc.oneof(
  { weight: 30, arbitrary: event },
  {
    weight: 1,
    arbitrary: fc.tuple(event, fc.nat(), fc.nat(255)).map(([bytes, at, value]) => {
      const changed = Buffer.from(bytes);
      changed[at % changed.length] = value;
      return changed;
    }),
  },
  { weight: 1, arbitrary: fc.tuple(event, fc.nat(60)).map(([bytes, at]) => bytes.subarray(0, at)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)) },
);

/** Values that JSON cannot encode are replaced by another invalid value. */
function encoded(name: string, content: object, payload: Uint8Array): Buffer {
  try {
    return encodeEvent(name, content, payload);
  } catch {
    return Buffer.from("{}\n");
  }
}

describe("random and mutated Wyoming events in any order", () => {
  it("never crash or block the server, and leave no slot and no work behind", async (context) => {
    const speech = createUnreliableSpeech();
    const config = { concurrency: 2, wyomingPort: 0, wyomingAccount: "admin" };
    const server = await startTestServer({ speech, config });
    context.after(() => server.close());
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { minLength: 1, maxLength: 25 }),
        fc.constantFrom("end", "reset"),
        async (messages, ending) => {
          const client = await connectWyoming(server.wyomingPort);
          for (const each of messages) client.socket.write(each);
          if (ending === "reset") client.socket.resetAndDestroy();
          else {
            client.socket.end();
            while ((await client.next()) !== undefined);
          }
          await client.close();
          await until(() => server.activeRequests.size === 0 && server.activeRequests.connections === 0);
          assert.ok(speech.jobs.every((job) => job.ended));
        },
      ),
      { numRuns: fuzzRuns(80), endOnFailure: true },
    );
    // Both slots are free, and the server speaks.
    const clients = [await connectWyoming(server.wyomingPort), await connectWyoming(server.wyomingPort)];
    for (const client of clients) client.send("synthesize", { text: "Words." });
    for (const client of clients) {
      assert.ok((await client.until("audio-stop")).length > 2);
      await client.close();
    }
  });
});

describe("bounds of the Wyoming port", () => {
  it("close only the connection that exceeds them", async (context) => {
    const config = { wyomingPort: 0, wyomingAccount: "admin", socketsPerAccount: 3, liveIdleSeconds: 1 };
    const server = await startTestServer({ config, parts: { wyomingReceiveMs: 100 } });
    context.after(() => server.close());
    const slow = await connectWyoming(server.wyomingPort);
    slow.socket.write('{"type":"synthesize","data_length":1000}\n{"text":');
    assert.equal((await slow.until("error"))[0]?.data.code, "upload_too_slow");
    assert.equal(await slow.next(), undefined);

    const long = await connectWyoming(server.wyomingPort);
    long.send("audio-start", { rate: 48_000, width: 4, channels: 2 });
    const chunk = new Uint8Array(1024 * 1024);
    for (let sent = 0; sent <= LIMITS.asrFileBytes; sent += chunk.length) long.send("audio-chunk", {}, chunk);
    assert.equal((await long.until("error"))[0]?.data.code, "audio_too_large");

    await until(() => server.activeRequests.connections === 0);
    const open: WyomingClient[] = [];
    const openOne = (client: WyomingClient) => open.push(client);
    // One address gets half of the connections, as soon as the first two are closed.
    await until(async () => (await connectWyoming(server.wyomingPort).then(openOne, () => 0)) === 2);
    const refused = connect(server.wyomingPort ?? 0, "127.0.0.1");
    refused.on("error", () => {});
    await until(() => refused.destroyed);
    // Those that send nothing are closed after the idle time.
    for (const client of open) assert.equal(await client.next(), undefined);
  });
});
