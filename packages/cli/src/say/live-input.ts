import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { LiveInput } from "@parlance/speech";
import { UsageError } from "../errors.ts";

/** A program that has ended a line and then says nothing for this long means what stands there to be heard. */
const SETTLED_MS = 300;

/**
 * Text as it comes. Somebody who types wants to hear a line when it is entered; a program may write in any pieces, so that
 * it is spoken when there is enough of it, and at the latest when a line has ended and nothing follows.
 */
export async function* readLive(
  input: Readable & { readonly isTTY?: boolean },
  signal: AbortSignal,
): AsyncGenerator<LiveInput, void, undefined> {
  const onAbort = () => input.destroy(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  // a character that is cut between two pieces is kept until it is whole
  input.setEncoding("utf8");
  const pieces = input[Symbol.asyncIterator]() as AsyncIterator<string, undefined>;
  const settledMs = input.isTTY ? 0 : SETTLED_MS;
  let anything = false;
  let lineEnded = false;
  try {
    let next = pieces.next();
    for (;;) {
      const quiet: Promise<"quiet" | IteratorResult<string, undefined>> = lineEnded
        ? sleep(settledMs, "quiet", { ref: false })
        : next;
      const step = await Promise.race([next, quiet]);
      if (step === "quiet") {
        lineEnded = false;
        yield { flush: true };
        continue;
      }
      if (step.done === true) break;
      anything ||= step.value.trim() !== "";
      lineEnded = step.value.endsWith("\n");
      yield { text: step.value };
      next = pieces.next();
    }
    if (!anything) throw new UsageError("there is no text to speak");
  } finally {
    signal.removeEventListener("abort", onAbort);
    // whoever waits for a line keeps the process from ending
    input.destroy();
  }
}
