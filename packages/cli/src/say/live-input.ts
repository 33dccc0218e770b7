import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { LiveInput } from "@parlance/speech";
import { UsageError } from "../errors.ts";

/** After a line end, the text is spoken when no more input arrives for this long. */
const IDLE_MS = 300;

/**
 * Reads text as it arrives. In a terminal each line is spoken when it is entered. A program may write any pieces: they are
 * spoken when there is enough text, at the latest when a line has ended and no more input arrives.
 */
export async function* readLive(
  input: Readable & { readonly isTTY?: boolean },
  signal: AbortSignal,
): AsyncGenerator<LiveInput, void, undefined> {
  const onAbort = () => input.destroy(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  // A character that is split between two chunks is held until it is complete.
  input.setEncoding("utf8");
  const pieces = input[Symbol.asyncIterator]() as AsyncIterator<string, undefined>;
  const idleMs = input.isTTY ? 0 : IDLE_MS;
  let hasText = false;
  let lineEnded = false;
  try {
    let next = pieces.next();
    for (;;) {
      const idle: Promise<"idle" | IteratorResult<string, undefined>> = lineEnded
        ? sleep(idleMs, "idle", { ref: false })
        : next;
      const step = await Promise.race([next, idle]);
      if (step === "idle") {
        lineEnded = false;
        yield { flush: true };
        continue;
      }
      if (step.done === true) break;
      hasText ||= step.value.trim() !== "";
      lineEnded = step.value.endsWith("\n");
      yield { text: step.value };
      next = pieces.next();
    }
    if (!hasText) throw new UsageError("there is no text to speak");
  } finally {
    signal.removeEventListener("abort", onAbort);
    // A pending read would keep the process running.
    input.destroy();
  }
}
