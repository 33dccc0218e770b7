export interface Arrivals<Item> {
  put(item: Item): void;
  /** The next item, in the order of their arrival. */
  next(): Promise<Item>;
}

/** What has arrived on a connection and was not read yet. */
export function createArrivals<Item extends object | number>(): Arrivals<Item> {
  const items: Item[] = [];
  let wake = (): void => {};
  return {
    put(item) {
      items.push(item);
      wake();
    },
    async next() {
      for (let item = items.shift(); ; item = items.shift()) {
        if (item !== undefined) return item;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
