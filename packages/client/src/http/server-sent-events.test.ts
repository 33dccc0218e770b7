import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { ConnectionError } from "../index.ts";
import { readServerSentEvents } from "./server-sent-events.ts";

async function read(...pieces: Uint8Array[]): Promise<string[]> {
  async function* stream() {
    yield* pieces;
  }
  const events: string[] = [];
  for await (const event of readServerSentEvents(stream())) events.push(event);
  return events;
}
const bytes = (text: string) => new TextEncoder().encode(text);

describe("server-sent events", () => {
  it("do not depend on chunk sizes and line ends", async () => {
    const lines = [
      "data: Grüße 👋",
      "",
      ": a comment",
      "",
      "event: x",
      "id: 1",
      "data:no space",
      "data",
      "data:  b",
      "",
    ];
    const expected = ["Grüße 👋", "no space\n\n b"];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("\n", "\r\n", "\r"), { minLength: lines.length, maxLength: lines.length }),
        fc.array(fc.nat(120), { maxLength: 30 }),
        fc.boolean(),
        async (ends, places, mark) => {
          const whole = bytes((mark ? "\ufeff" : "") + lines.map((line, index) => line + ends[index]).join(""));
          // An empty line that ends in CR followed by one that is only LF would be one line end: no writer does that.
          fc.pre(
            !lines.some((line, index) => index > 0 && line === "" && ends[index] === "\n" && ends[index - 1] === "\r"),
          );
          const cuts = [0, ...places.filter((place) => place < whole.length).sort((a, b) => a - b), whole.length];
          const pieces = cuts.slice(1).map((cut, index) => whole.subarray(cuts[index], cut));
          assert.deepEqual(await read(...pieces), expected);
        },
      ),
      { numRuns: 500 },
    );
  });

  it("that break off are an error", async () => {
    for (const cut of ["data: a\n\ndata: b", "data: a\n\ndata: b\n"])
      await assert.rejects(read(bytes(cut)), ConnectionError);
    assert.deepEqual(await read(), []);
  });

  it("without an end are refused above a size", async () => {
    const long = bytes("x".repeat(1024 * 1024));
    await assert.rejects(read(bytes("data: "), ...Array<Uint8Array>(17).fill(long)), /longer than/);
    const line = bytes(`data: ${"x".repeat(1024 * 1024)}\n`);
    await assert.rejects(read(...Array<Uint8Array>(17).fill(line)), /longer than/);
  });
});
