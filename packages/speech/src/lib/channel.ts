/** A queue between one writer that never waits and one reader that does. The writer limits itself by credit. */
export interface Channel<T> extends AsyncIterable<T> {
  push(value: T): void;
  end(): void;
  fail(error: unknown): void;
}

/** `onTaken` is called for each value that the reader takes, `onClosed` once when it stops reading. */
export function createChannel<T>(onTaken: () => void, onClosed: () => void): Channel<T> {
  const values: T[] = [];
  let ended = false;
  let failure: { readonly error: unknown } | undefined;
  let wake: (() => void) | undefined;
  const change = () => {
    wake?.();
    wake = undefined;
  };
  return {
    push(value) {
      values.push(value);
      change();
    },
    end() {
      ended = true;
      change();
    },
    fail(error) {
      failure ??= { error };
      change();
    },
    async *[Symbol.asyncIterator]() {
      try {
        for (;;) {
          if (failure) throw failure.error;
          const value = values.shift();
          if (value !== undefined) {
            onTaken();
            yield value;
          } else if (ended) return;
          else
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
        }
      } finally {
        onClosed();
      }
    },
  };
}
