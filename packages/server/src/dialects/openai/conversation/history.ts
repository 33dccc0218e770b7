import { RealtimeError } from "../live/errors.ts";
import { type Item, sizeOf } from "./items.ts";
import { CONVERSATION_LIMITS } from "./limits.ts";

/** The items of a conversation, in their order. The oldest are dropped when there are too many. */
export interface History {
  readonly items: readonly Item[];
  find(id: string): Item | undefined;
  /**
   * Adds an item at the end, or after another one; `root` is the place before all. Returns the id of the item before it.
   * Throws when there is no such place, or an item with its id.
   */
  add(item: Item, after?: string): string | null;
  /** False when there is no such item. */
  remove(id: string): boolean;
  /** Drops the oldest items until the rest is within the limits. Returns their ids. */
  trim(): readonly string[];
}

export function createHistory(first: readonly Item[] = []): History {
  let items = [...first];
  const indexOf = (id: string): number => items.findIndex((item) => item.id === id);
  return {
    get items() {
      return items;
    },
    find: (id) => items.find((item) => item.id === id),
    add(item, after) {
      if (indexOf(item.id) >= 0) throw new RealtimeError("item_exists", "item.id: there is an item with this id");
      const index = after === undefined ? items.length : after === "root" ? 0 : indexOf(after) + 1;
      if (index === 0 && after !== undefined && after !== "root") {
        throw new RealtimeError("item_not_found", "previous_item_id: there is no item with this id");
      }
      items.splice(index, 0, item);
      return items[index - 1]?.id ?? null;
    },
    remove(id) {
      const index = indexOf(id);
      if (index >= 0) items.splice(index, 1);
      return index >= 0;
    },
    trim() {
      let characters = items.reduce((sum, item) => sum + sizeOf(item), 0);
      let dropped = 0;
      // The newest item stays, whatever its size: its own limit bounds it.
      while (
        dropped < items.length - 1 &&
        (items.length - dropped > CONVERSATION_LIMITS.items || characters > CONVERSATION_LIMITS.characters)
      ) {
        const item = items[dropped];
        characters -= item === undefined ? 0 : sizeOf(item);
        dropped += 1;
      }
      const ids = items.slice(0, dropped).map(({ id }) => id);
      items = items.slice(dropped);
      return ids;
    },
  };
}
