import type { ListenEvent } from "@parlance/client";
import type { Terminal } from "../terminal.ts";

/** Shows words as they come. */
export interface LiveText {
  show(event: ListenEvent): void;
}

/**
 * In a terminal, the line of the segment that is spoken is written again with each change. Elsewhere only words are written that will not
 * change any more. A finished segment is a line in both.
 */
export function createLiveText(terminal: Pick<Terminal, "write" | "columns" | "resultStyle">): LiveText {
  return terminal.columns === undefined ? appendedText(terminal) : rewrittenText(terminal, terminal.columns);
}

function rewrittenText({ write, resultStyle }: Pick<Terminal, "write" | "resultStyle">, columns: number): LiveText {
  const eraseLine = "\r\u001b[K";
  return {
    show(event) {
      if (event.event === "segment") write(`${eraseLine}${event.text}\n`);
      if (event.event !== "partial") return;
      const stable = stableText(event).length;
      // A line that wraps cannot be written again: its end is what changes.
      const from = Math.max(0, event.text.length - columns + 1);
      const certain = event.text.slice(from, Math.max(from, stable));
      write(`${eraseLine}${certain}${resultStyle.dim(event.text.slice(Math.max(from, stable)))}`);
    },
  };
}

function appendedText({ write }: Pick<Terminal, "write">): LiveText {
  let written = "";
  const add = (text: string): void => {
    // A word that was written is never taken back; should it be different at the end, the text follows on a line of its own.
    const isLonger = text.startsWith(written);
    if (!isLonger || text.length > written.length) write(isLonger ? text.slice(written.length) : `\n${text}`);
    written = text;
  };
  return {
    show(event) {
      if (event.event === "partial" && stableText(event).length > written.length) add(stableText(event));
      if (event.event !== "segment") return;
      add(event.text);
      write("\n");
      written = "";
    },
  };
}

/** The text up to the end of the last word that will not change. */
function stableText({ text, words, stable }: Extract<ListenEvent, { event: "partial" }>): string {
  let end = 0;
  for (const word of words.slice(0, stable)) end = Math.max(end, text.indexOf(word.text, end) + word.text.length);
  return text.slice(0, end);
}
