import { setImmediate as nextTurn } from "node:timers/promises";
import type { Store } from "../../stores/store.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import type { WriteResult } from "./reservations.ts";
import type { Settlement } from "./settlements.ts";

/**
 * The charge for one piece of work after its reservation. The first of `settle`, `settleWith`, `settleDelivered` and `refund`
 * counts; later calls do nothing.
 */
export interface Charge {
  /** The reserved credits. */
  readonly credits: number;
  /** The final charge; undefined while the reservation is open. */
  readonly charged: number | undefined;
  /** Sets the price of everything delivered so far. Written to the reservation in the background. */
  delivered(credits: number): void;
  /** The work is done: charges all, or `used`. Written when it resolves; throws when that takes too long. */
  settle(used?: number): Promise<void>;
  /** Charges all and writes the result, or neither. False when the result does not count. Throws as `settle` does. */
  settleWith(writeResult: WriteResult): Promise<boolean>;
  /** The client disconnected: charges what was delivered. Never throws. */
  settleDelivered(): Promise<void>;
  /** The work failed: charges nothing. Never throws. */
  refund(): Promise<void>;
}

export interface ChargeParts {
  readonly deliver: (userId: string, requestId: string, credits: number) => Promise<void>;
  /** Whether it was written in time. Does not throw: a failed write is retried. */
  readonly settle: (settlement: Settlement) => Promise<boolean>;
  readonly log: LogFor<"reservation.update-failed">;
}

export interface ReservedCredits {
  readonly userId: string;
  readonly requestId: string;
  readonly credits: number;
}

export function createCharge(
  { userId, requestId, credits }: ReservedCredits,
  { deliver, settle: write, log }: ChargeParts,
): Charge {
  let deliveredCredits = 0;
  let written = 0;
  let writing = false;
  let charged: number | undefined;
  let settling: Promise<boolean> | undefined;

  const writeProgress = async (): Promise<void> => {
    writing = true;
    // SQLite writes at once and waits for the disk. The audio that this is about goes out first.
    await nextTurn();
    try {
      // More may be delivered during a write; the next write covers it.
      while (written < deliveredCredits && settling === undefined) {
        const next = deliveredCredits;
        await deliver(userId, requestId, next);
        written = next;
      }
    } catch (err) {
      logEvent(log, "reservation.update-failed", { err, requestId });
    } finally {
      writing = false;
    }
  };
  const end = (used: number, writeResult?: WriteResult): Promise<boolean> => {
    charged ??= Math.max(0, Math.min(used, credits));
    settling ??= write({ userId, requestId, used: charged, writeResult });
    return settling;
  };
  const endInTime = async (used: number, writeResult?: WriteResult): Promise<void> => {
    if (!(await end(used, writeResult))) throw new Error("the settlement was not written in time");
  };
  return {
    credits,
    get charged() {
      return charged;
    },
    delivered(price) {
      deliveredCredits = Math.max(deliveredCredits, Math.min(price, credits));
      if (!writing && written < deliveredCredits && settling === undefined) void writeProgress();
    },
    settle: (used = credits) => endInTime(used),
    async settleWith(writeResult) {
      let counts = false;
      await endInTime(credits, async (records) => {
        counts = await writeResult(records);
        return counts;
      });
      if (!counts) charged = 0;
      return counts;
    },
    async settleDelivered() {
      await end(deliveredCredits);
    },
    async refund() {
      await end(0);
    },
  };
}

/** For requests that cost nothing. */
export function createFreeCharge(store: Pick<Store, "transaction">): Charge {
  return {
    credits: 0,
    charged: 0,
    delivered: () => {},
    settle: async () => {},
    settleWith: (writeResult) => store.transaction(writeResult),
    settleDelivered: async () => {},
    refund: async () => {},
  };
}
