import { createSlots, type Slots, type SlotsOptions } from "./slots.ts";

/** Slots for each key, such as an account. One key keeps no other one waiting for longer than its turn. */
export interface SlotsByKey {
  /** Resolves with the function that frees the slot. Throws what `onFull` returns when too many of this key wait already. */
  enter(key: string): Promise<() => void>;
}

export interface SlotsByKeyOptions extends SlotsOptions {
  /** Slots that are taken at a time by all keys together. Left out: no limit. */
  readonly total?: number;
}

export function createSlotsByKey({ total = Number.POSITIVE_INFINITY, ...each }: SlotsByKeyOptions): SlotsByKey {
  const keys = new Map<string, { readonly slots: Slots; users: number }>();
  // Each key waits here at most as often as it has slots.
  const all = createSlots({ slots: total, maxWaiting: Number.POSITIVE_INFINITY, onFull: each.onFull });
  return {
    async enter(key) {
      const entry = keys.get(key) ?? { slots: createSlots(each), users: 0 };
      keys.set(key, entry);
      entry.users += 1;
      const forget = (): void => {
        entry.users -= 1;
        if (entry.users === 0) keys.delete(key);
      };
      try {
        const leave = await entry.slots.enter();
        const leaveAll = await all.enter();
        return () => {
          leaveAll();
          leave();
          forget();
        };
      } catch (error) {
        forget();
        throw error;
      }
    },
  };
}
