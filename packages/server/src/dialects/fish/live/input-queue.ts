import { countCharacters, createSurrogateJoiner } from "@parlance/protocol";
import type { LiveInput } from "@parlance/speech";

/** The text of one round on its way to be spoken. */
export interface InputQueue extends AsyncIterable<LiveInput> {
  push(text: string): void;
  flush(): void;
  /** No more will come; what is there is still spoken. */
  end(): void;
  /** What is there is forgotten. */
  close(): void;
  /** How much waits, in characters; entries count a little more, so that many small ones have a bound too. */
  readonly weight: number;
  /** Characters that were taken to be spoken. */
  readonly characters: number;
  /** When the first text came, by the clock of `performance.now`. */
  readonly startedAt: number | undefined;
  /** When the end came, by the same clock. */
  readonly endedAt: number | undefined;
}

const ENTRY_WEIGHT = 32;

/** For one reader. `onTaken` is told whenever the weight has gone down. */
export function createInputQueue(onTaken: () => void): InputQueue {
  const joinPairs = createSurrogateJoiner();
  let entries: LiveInput[] = [];
  let weight = 0;
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
      weight += entry.text.length;
    } else {
      entries.push(entry);
      weight += weightOf(entry);
    }
    wake();
  };
  const end = (): void => {
    endedAt ??= performance.now();
    wake();
  };
  const close = (): void => {
    entries = [];
    weight = 0;
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
    get weight() {
      return weight;
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
        weight -= weightOf(entry);
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

function weightOf(entry: LiveInput): number {
  return ENTRY_WEIGHT + ("text" in entry ? entry.text.length : 0);
}
