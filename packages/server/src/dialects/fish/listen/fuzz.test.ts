import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { encodeMessagePack } from "@parlance/protocol";
import fc from "fast-check";
import { fuzzRuns } from "../../../testing/fuzz-runs.ts";
import { audioFrames, connectListen } from "../../../testing/listen-client.ts";
import { startTestServer } from "../../../testing/test-server.ts";
import { until } from "../../../testing/until.ts";
import { burstSamples } from "../../../testing/wav-file.ts";

const request = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom({ language: "en" }, { format: "ulaw" }, { sample_rate: 44_100 }, {}) },
  { weight: 1, arbitrary: fc.anything() },
);
const start = fc.record({ event: fc.constant("start"), request });
const frame = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({ event: fc.constant("audio"), audio: fc.uint8Array({ maxLength: 4000 }) }),
  },
  { weight: 3, arbitrary: fc.constant({ event: "flush" }) },
  { weight: 1, arbitrary: fc.constant({ event: "stop" }) },
  { weight: 1, arbitrary: fc.record({ event: fc.string(), audio: fc.anything() }) },
);
/** Values that MessagePack cannot encode are replaced by another invalid value. */
function encoded(value: unknown): Uint8Array {
  try {
    return encodeMessagePack(value);
  } catch {
    return Uint8Array.of(0xc1);
  }
}
const message = fc.oneof(
  { weight: 60, arbitrary: frame.map(encoded) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
  {
    weight: 1,
    arbitrary: fc.tuple(frame.map(encoded), fc.nat(), fc.nat(255)).map(([bytes, at, value]) => {
      const changed = Uint8Array.from(bytes);
      if (changed.length > 0) changed[at % changed.length] = value;
      return changed;
    }),
  },
);

describe("random frames of audio in any order", () => {
  it("end in a finish or a close, never crash the server, and leave nothing behind", async (context) => {
    const server = await startTestServer({ config: { concurrency: 4 } });
    context.after(() => server.close());
    await fc.assert(
      fc.asyncProperty(start, fc.array(message, { minLength: 50, maxLength: 150 }), async (first, messages) => {
        const client = await connectListen(server.url);
        client.send(encoded(first), ...messages, encoded({ event: "stop" }));
        const { code } = await client.rest();
        assert.ok([1000, 1003, 1007, 1008, 1009].includes(code), `${code}`);
      }),
      // 100 messages each, on average.
      { numRuns: fuzzRuns(100) },
    );
    await until(() => server.activeRequests.size === 0);
    const client = await connectListen(server.url);
    const samples = burstSamples(2, [{ start: 0.5, end: 1, level: 40 }]);
    client.send({ event: "start", request: { language: "en" } }, ...audioFrames(samples), { event: "stop" });
    const { messages: answers } = await client.rest();
    assert.ok(answers.some((each) => each.event === "segment" && each.text === "40"));
  });
});
