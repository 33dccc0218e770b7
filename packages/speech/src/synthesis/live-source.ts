import { monotonicTime, noSpan, type Span } from "../lib/tracing.ts";
import { takeTurn } from "../lib/turns.ts";
import { createWakeup } from "../lib/wakeup.ts";
import type { LiveInput } from "../speech.ts";
import type { SpeechChunk } from "../text/index.ts";
import { type LivePlan, LOW_SECONDS } from "./live-plan.ts";

/** Characters that may wait to be spoken; beyond that, the input is not read. */
const MAX_WAITING = 30_000;
/** With less than this to play, the client needs the last samples that a codec holds back. */
const IDLE_SECONDS = 0.3;
/** After a pause of this length, text that looks like a whole sentence is treated as one. */
const STALL_SECONDS = 0.4;

/**
 * Chunks of a text as it arrives, by a new plan. Yields "idle" once when the client is about to run out of audio and no chunk is ready, and
 * "silence" for a flush of text without words: clients take a flush without audio for a fault.
 */
export async function* liveChunks(
  plan: LivePlan,
  input: AsyncIterable<LiveInput>,
  ahead: () => number,
  signal: AbortSignal,
  trace: Span = noSpan,
): AsyncGenerator<SpeechChunk | "idle" | "silence"> {
  const changed = createWakeup();
  const consumed = createWakeup();
  let failure: { readonly error: unknown } | undefined;
  const iterator = input[Symbol.asyncIterator]();

  const read = async (): Promise<void> => {
    try {
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        if ("flush" in next.value) plan.flush();
        else plan.push(next.value.text);
        changed.notify();
        while (plan.waiting > MAX_WAITING && !signal.aborted) await consumed.wait(signal);
      }
      plan.finish();
    } catch (error) {
      failure = { error };
    }
    changed.notify();
  };

  const reading = read();
  let isIdle = true;
  let chunk = 0;
  let started = monotonicTime();
  let next: ReturnType<typeof plan.next> = "wait";
  try {
    for (;;) {
      // Each step of the reading has a turn of its own, because a text may need many of them before its first chunk.
      if (next !== "unfinished") started = monotonicTime();
      await takeTurn();
      signal.throwIfAborted();
      if (failure) throw failure.error;
      next = plan.next(ahead());
      if (next === "unfinished") continue;
      if (next === "done") return;
      if (next === "silence") {
        isIdle = false;
        yield next;
        continue;
      }
      if (next !== "wait") {
        trace.child("text", { chunk: chunk++, characters: [...next.text].length }, started).end();
        isIdle = false;
        yield next;
        consumed.notify();
        continue;
      }
      const left = ahead();
      if (!isIdle && left < IDLE_SECONDS) {
        isIdle = true;
        yield "idle";
        continue;
      }
      const stall = plan.waiting > 0 && left < LOW_SECONDS ? STALL_SECONDS : undefined;
      const wakeIn = soonest(plan.changesIn(left), isIdle ? undefined : left - IDLE_SECONDS, stall);
      const notified = await changed.wait(signal, wakeIn);
      if (!notified && wakeIn === stall) plan.stall();
    }
  } finally {
    // Not awaited: a client that has gone may never send the text that the reader waits for. How the input ends is of no
    // interest any more.
    leave(iterator).catch(() => {});
    void reading;
  }
}

async function leave(iterator: AsyncIterator<LiveInput>): Promise<void> {
  await iterator.return?.();
}

function soonest(...seconds: (number | undefined)[]): number | undefined {
  const known = seconds.filter((value) => value !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}
