import { countCharacters, createSurrogateJoiner } from "@parlance/protocol";
import type { LiveInput } from "@parlance/speech";

/** The text of one round that is not synthesized yet. */
export interface InputQueue extends AsyncIterable<LiveInput> {
  push(text: string): void;
  flush(): void;
  /** No more text follows; the rest is still spoken. */
  end(): void;
  /** Drops everything that is queued. */
  close(): void;
  /** The queued characters. Each entry counts a little more, so that many small ones are bounded too. */
  readonly size: number;
  /** Characters that were taken from the queue. */
  readonly characters: number;
  /** When the first text arrived (`performance.now`). */
  readonly startedAt: number | undefined;
  /** When the text ended (`performance.now`). */
  readonly endedAt: number | undefined;
}

const ENTRY_SIZE = 32;

/** For one reader. `onTaken` is called whenever the size has become smaller. */
export function createInputQueue(onTaken: () => void): InputQueue {
  const joinPairs = createSurrogateJoiner();
  let entries: LiveInput[] = [];
  let size = 0;
  let characters = 0;
  let startedAt: number | undefined;
  let endedAt: number | undefined;
  let wake = (): void => {};

  const add = (entry: LiveInput): void => {
    if (endedAt !== undefined) return;
    const last = entries.at(-1);
    if (last !== undefined && "flush" in last && "flush" in entry) return;
    if (last !== undefined && "text" in last && "text" in entry) {
      entries[entries.length - 1] = { text: last.text + entry.text };
      size += entry.text.length;
    } else {
      entries.push(entry);
      size += sizeOf(entry);
    }
    wake();
  };
  const end = (): void => {
    endedAt ??= performance.now();
    wake();
  };
  const close = (): void => {
    entries = [];
    size = 0;
    end();
    onTaken();
  };

  return {
    push(text) {
      const whole = joinPairs(text);
      if (whole === "") return;
      startedAt ??= performance.now();
      add({ text: whole });
    },
    flush: () => add({ flush: true }),
    end,
    close,
    get size() {
      return size;
    },
    get characters() {
      return characters;
    },
    get startedAt() {
      return startedAt;
    },
    get endedAt() {
      return endedAt;
    },
    [Symbol.asyncIterator]: () => ({
      async next(): Promise<IteratorResult<LiveInput, undefined>> {
        while (entries.length === 0 && endedAt === undefined) {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
        const entry = entries.shift();
        if (entry === undefined) return { done: true, value: undefined };
        size -= sizeOf(entry);
        if ("text" in entry) characters += countCharacters(entry.text);
        onTaken();
        return { done: false, value: entry };
      },
      async return(): Promise<IteratorResult<LiveInput, undefined>> {
        close();
        return { done: true, value: undefined };
      },
    }),
  };
}

function sizeOf(entry: LiveInput): number {
  return ENTRY_SIZE + ("text" in entry ? entry.text.length : 0);
}
