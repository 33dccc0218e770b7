import { textOf } from "../engines/attention/token-words.ts";
import type { RecognizedWord } from "../engines/recognizer.ts";

/**
 * Passes the text of spans on, in their order, however they finish, and not before the transcript is accepted. The pieces
 * together are the text of the transcript. `onFailed` gets what `onText` throws while no span is being added.
 */
export function createTextDelivery(
  onText: ((piece: string) => void) | undefined,
  accepted: Promise<void>,
  onFailed: (error: unknown) => void,
): (index: number, words: readonly RecognizedWord[]) => void {
  if (onText === undefined) return () => {};
  const finished = new Map<number, readonly RecognizedWord[]>();
  let next = 0;
  let isAccepted = false;
  let isFirst = true;
  const deliver = (): void => {
    for (let words = finished.get(next); isAccepted && words !== undefined; words = finished.get(next)) {
      finished.delete(next++);
      if (words.length === 0) continue;
      onText(`${isFirst || words[0]?.joined ? "" : " "}${textOf(words)}`);
      isFirst = false;
    }
  };
  accepted
    .then(() => {
      isAccepted = true;
      deliver();
    })
    .catch(onFailed);
  return (index, words) => {
    finished.set(index, words);
    deliver();
  };
}
