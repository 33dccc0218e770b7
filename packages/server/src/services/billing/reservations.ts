import { apiError, type Plans } from "@parlance/protocol";
import { isoTime } from "../../lib/time.ts";
import type { ReservationRecord } from "../../stores/reservations.ts";
import type { Store } from "../../stores/store.ts";
import { type LockedWallet, withLockedWallet } from "./locked-wallet.ts";

export interface NewReservation {
  readonly userId: string;
  /** Unique for this piece of work. The same id twice is one reservation. */
  readonly requestId: string;
  readonly operation: string;
  readonly credits: number;
}

export interface Reservations {
  /** Takes the credits out of the wallet, or throws the 402. False when this request was reserved before. */
  open(reservation: NewReservation): Promise<boolean>;
  /** Writes how much was delivered so far, in case this node expires before it settles. */
  deliver(userId: string, requestId: string, credits: number): Promise<void>;
  /**
   * Charges what was used, at most what was reserved, and returns the rest to the wallet. "delivered": charges what
   * `deliver` has written. The first close counts and gives what it charged; further calls give undefined.
   */
  close(userId: string, requestId: string, used: number | "delivered"): Promise<number | undefined>;
  /** Closes all reservations of a node, charging what was delivered. */
  closeForNode(node: string): Promise<void>;
  /** Closes reservations past their expiry, charging what was delivered. */
  closeExpired(): Promise<void>;
}

export interface ReservationOptions {
  readonly store: Store;
  readonly plans: Plans;
  /** The id of this process. */
  readonly node: string;
  readonly now?: (() => number) | undefined;
}

/** Longer than any pause between two parts of a response. */
const EXPIRES_MS = 3_600_000;
const BATCH = 100;

export function createReservationService({ store, plans, node, now = Date.now }: ReservationOptions): Reservations {
  const options = { store, plans, now };
  const expiry = (): string => isoTime(now() + EXPIRES_MS);

  const close: Reservations["close"] = (userId, requestId, used) => {
    const work = async (locked: LockedWallet) => {
      const open = await locked.records.reservations.take(userId, requestId);
      return open && settle(locked, open, used === "delivered" ? open.delivered : used);
    };
    return withLockedWallet(options, userId, work, true);
  };
  const closeAll = async (next: () => Promise<readonly ReservationRecord[]>): Promise<void> => {
    for (let open = await next(); open.length > 0; open = await next()) {
      for (const { userId, requestId } of open) await close(userId, requestId, "delivered");
    }
  };

  return {
    close,
    open: ({ userId, requestId, operation, credits }) =>
      withLockedWallet(options, userId, async (locked) => {
        const { balance, extra, period } = locked.wallet;
        const { ledger, reservations } = locked.records;
        // The ledger also knows requests that were settled long ago.
        if ((await ledger.ofRequest(userId, requestId)).length > 0) return false;
        if (balance + extra < credits) {
          throw apiError("insufficient_balance", { cost: credits, balance: balance + extra });
        }
        const fromPackage = Math.min(balance, credits);
        const fromExtra = credits - fromPackage;
        const common = { kind: "reserve", requestId, note: operation } as const;
        if (fromPackage > 0) locked.post({ ...common, bucket: "package", amount: -fromPackage });
        if (fromExtra > 0) locked.post({ ...common, bucket: "extra", amount: -fromExtra });
        await reservations.insert({
          userId,
          requestId,
          node,
          operation,
          fromPackage,
          fromExtra,
          delivered: 0,
          period,
          openedAt: locked.now,
          expiresAt: expiry(),
        });
        return true;
      }),
    async deliver(userId, requestId, credits) {
      await store.reservations.deliver(userId, requestId, credits, expiry());
    },
    closeForNode: (expired) => closeAll(() => store.reservations.ofNode(expired, BATCH)),
    closeExpired: () => closeAll(() => store.reservations.expired(isoTime(now()), BATCH)),
  };
}

/** Returns what was not used, first to the extra credits, since the package is spent first. */
function settle(locked: LockedWallet, open: ReservationRecord, requested: number): number {
  const { requestId, operation, fromPackage, fromExtra } = open;
  const used = Math.max(0, Math.min(requested, fromPackage + fromExtra));
  const backToPackage = fromPackage - Math.min(used, fromPackage);
  const backToExtra = fromPackage + fromExtra - used - backToPackage;
  const common = { kind: used > 0 ? "settle" : "refund", requestId, note: operation } as const;
  // Also when nothing is returned: the entry marks the request as settled.
  if (fromPackage > 0) locked.post({ ...common, bucket: "package", amount: backToPackage });
  if (fromExtra > 0) locked.post({ ...common, bucket: "extra", amount: backToExtra });
  // The package that the credits came from has expired, so they expire too.
  if (backToPackage > 0 && open.period !== locked.wallet.period) {
    locked.post({ kind: "expire", bucket: "package", amount: -backToPackage, requestId, note: operation });
  }
  return used;
}
