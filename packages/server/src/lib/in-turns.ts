import { takeTurn } from "@parlance/speech";
import { batchesOf } from "./batches.ts";

/** The results for all items, of `size` items in each turn of the event loop. */
export async function inTurns<Item, Result>(
  items: readonly Item[],
  size: number,
  work: (some: readonly Item[]) => Promise<readonly Result[]>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (const batch of batchesOf(items, size)) {
    results.push(...(await work(batch)));
    await takeTurn();
  }
  return results;
}
