/**
 * Work for one request in pieces, so that others are served in between. `setImmediate` alone is not enough: all callbacks that
 * were set before run in one turn of the event loop, and with many requests that is a long turn.
 */
const waiting: (() => void)[] = [];

/** Resolves in a turn of the event loop in which no other caller's promise resolves. First come, first served. */
export function takeTurn(): Promise<void> {
  return new Promise((resolve) => {
    if (waiting.push(resolve) === 1) setImmediate(giveTurn);
  });
}

function giveTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(giveTurn);
}
