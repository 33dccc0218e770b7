import type { LiveInput } from "../speech.ts";
import type { ChunkOptions, SpeechChunk } from "../text/index.ts";
import { noSpan, type Span, workClock } from "../tracing.ts";
import { LivePlan, LOW_SECONDS } from "./live-plan.ts";

/** Text that waits to be spoken; beyond that, nothing more is read from the input. */
const MOST_WAITING = 30_000;
/** With less than this to play, the listener needs the last samples that a codec holds back. */
const IDLE_SECONDS = 0.3;

/** A writer who pauses this long has finished the sentence, if it looks like one. */
const STALL_SECONDS = 0.4;

/** Chunks of a text as it comes. Gives "idle" once when the listener is about to run dry and nothing can be said. */
export async function* liveChunks(
  options: ChunkOptions,
  input: AsyncIterable<LiveInput>,
  ahead: () => number,
  signal: AbortSignal,
  trace: Span = noSpan,
): AsyncGenerator<SpeechChunk | "idle"> {
  const plan = new LivePlan(options);
  const changed = createBell();
  const spoken = createBell();
  let failure: { readonly error: unknown } | undefined;
  const iterator = input[Symbol.asyncIterator]();

  const read = async (): Promise<void> => {
    try {
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        if ("flush" in next.value) plan.flush();
        else plan.push(next.value.text);
        changed.ring();
        while (plan.waiting > MOST_WAITING && !signal.aborted) await spoken.heard(signal);
      }
      plan.finish();
    } catch (error) {
      failure = { error };
    }
    changed.ring();
  };

  const reading = read();
  let rested = true;
  let chunk = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      if (failure) throw failure.error;
      const asked = workClock();
      const next = plan.next(ahead());
      if (next === "done") return;
      if (next !== "wait") {
        trace.child("text", { chunk: chunk++, characters: [...next.text].length }, asked).end();
        rested = false;
        yield next;
        spoken.ring();
        continue;
      }
      const left = ahead();
      if (!rested && left < IDLE_SECONDS) {
        rested = true;
        yield "idle";
        continue;
      }
      const stalls = plan.waiting > 0 && left < LOW_SECONDS ? STALL_SECONDS : undefined;
      const wakeIn = soonest(plan.changesIn(left), rested ? undefined : left - IDLE_SECONDS, stalls);
      const rang = await changed.heard(signal, wakeIn);
      if (!rang && wakeIn === stalls) plan.stall();
    }
  } finally {
    // Not awaited: a caller who is gone may never send the piece that the reader waits for.
    void iterator.return?.();
    void reading;
  }
}

function soonest(...seconds: (number | undefined)[]): number | undefined {
  const known = seconds.filter((value) => value !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}

/** Lets one side sleep until the other rings, a time has passed, or everything is over. */
function createBell() {
  let rung = false;
  let wake = () => {};
  return {
    ring() {
      rung = true;
      wake();
    },
    /** Whether it rang. */
    async heard(signal: AbortSignal, seconds?: number): Promise<boolean> {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = seconds === undefined ? undefined : setTimeout(() => wake(), Math.max(1, seconds * 1000));
          wake = () => {
            clearTimeout(timer);
            signal.removeEventListener("abort", wake);
            resolve();
          };
          signal.addEventListener("abort", wake);
        });
      }
      const rang = rung;
      rung = false;
      return rang;
    },
  };
}
