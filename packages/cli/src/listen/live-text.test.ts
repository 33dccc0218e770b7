import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ListenEvent } from "@parlance/client";
import { createTerminal } from "../terminal.ts";
import { createLiveText } from "./live-text.ts";

const common = (text: string) => ({
  segment: 0,
  text,
  words: text.split(" ").map((word, index) => ({ text: word, start: index, end: index + 1 })),
  start: 0,
  end: 1,
  language_code: "en",
});
const partial = (stable: number, text: string): ListenEvent => ({ event: "partial", stable, ...common(text) });
const segment = (text: string): ListenEvent => ({ event: "segment", ends_turn: true, ...common(text) });

/** What is written for each event. */
function shown(
  events: readonly ListenEvent[],
  stdout: { readonly isTTY: boolean; readonly columns?: number },
): string[] {
  const pieces: string[] = [];
  let piece = "";
  const output = { ...stdout, write: (text: string) => (piece += text) };
  const text = createLiveText(createTerminal({ NO_COLOR: "1" }, { stdout: output, stderr: output }));
  for (const event of events) {
    piece = "";
    text.show(event);
    pieces.push(piece);
  }
  return pieces;
}

describe("the words of parlance listen", () => {
  it("are written once they are certain where the output is no terminal", () => {
    const events = [
      { event: "speech_started", time: 0 } as const,
      partial(0, "I"),
      partial(1, "I was"),
      partial(3, "I was the last one"),
      partial(3, "I was the lost one"),
      segment("I was the last one there."),
      partial(1, "Yes sir"),
      segment("Yes, sir."),
    ];
    const expected = ["", "", "I", " was the", "", " last one there.\n", "Yes", ", sir.\n"];
    assert.deepEqual(shown(events, { isTTY: false }), expected);
    assert.deepEqual(shown([partial(1, "two three"), segment("too three")], { isTTY: false }), [
      "two",
      "\ntoo three\n",
    ]);
  });

  it("rewrite their line in a terminal, within its width", () => {
    const events = [partial(1, "I was"), partial(2, "I was the last one to see him"), segment("I was the last one.")];
    const line = (text: string): string => `\r\u001b[K${text}`;
    assert.deepEqual(shown(events, { isTTY: true, columns: 20 }), [
      line("I was"),
      line(" last one to see him".slice(1)),
      line("I was the last one.\n"),
    ]);
  });
});
