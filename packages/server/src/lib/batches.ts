/** The items in order, so many at a time that neither their count nor their bytes exceed the limits, but at least one. */
export function* batchesBySize<Item extends { readonly bytes: number }>(
  items: readonly Item[],
  limits: { readonly count: number; readonly bytes: number },
): Generator<readonly Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    if (batch.length > 0 && (batch.length >= limits.count || bytes + item.bytes > limits.bytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(item);
    bytes += item.bytes;
  }
  if (batch.length > 0) yield batch;
}

/** The items in order, at most `size` at a time. */
export function* batchesOf<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
