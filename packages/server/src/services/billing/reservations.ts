import { apiError, type Plans } from "@parlance/protocol";
import type { ReservationRecord } from "../../stores/reservations.ts";
import type { Store } from "../../stores/store.ts";
import { isoTime } from "../identity/keys.ts";
import { type Book, openBook } from "./locked-wallet.ts";

export interface NewReservation {
  readonly userId: string;
  /** Made for this one piece of work. The same id twice is one reservation. */
  readonly requestId: string;
  readonly operation: string;
  readonly credits: number;
}

export interface Reservations {
  /** Takes the credits out of the wallet, or throws the 402. False when this request was paid for before. */
  open(reservation: NewReservation): Promise<boolean>;
  /** Notes what the caller has got by now, in case that nobody comes to close it. */
  deliver(userId: string, requestId: string, credits: number): Promise<void>;
  /**
   * Keeps what was used, at most what was reserved, and gives the rest back. "delivered": what was noted.
   * The first close counts; what it kept is the result, undefined for all others.
   */
  close(userId: string, requestId: string, used: number | "delivered"): Promise<number | undefined>;
  /** Closes all that a node has open, for what was delivered. */
  closeOfNode(node: string): Promise<void>;
  /** Closes what nobody has worked on for too long, for what was delivered. */
  closeExpired(): Promise<void>;
}

export interface ReservationOptions {
  readonly store: Store;
  readonly plans: Plans;
  /** The id of this process. */
  readonly node: string;
  readonly now?: (() => number) | undefined;
}

/** Longer than anything takes between two parts of an answer. */
const EXPIRES_MS = 3_600_000;
const BATCH = 100;

export function createReservationService({ store, plans, node, now = Date.now }: ReservationOptions): Reservations {
  const options = { store, plans, now };
  const expiry = (): string => isoTime(now() + EXPIRES_MS);

  const close: Reservations["close"] = (userId, requestId, used) => {
    const work = async (book: Book) => {
      const open = await book.records.reservations.take(userId, requestId);
      return open && settle(book, open, used === "delivered" ? open.delivered : used);
    };
    return openBook(options, userId, work, true);
  };
  const closeAll = async (next: () => Promise<readonly ReservationRecord[]>): Promise<void> => {
    for (let open = await next(); open.length > 0; open = await next()) {
      for (const { userId, requestId } of open) await close(userId, requestId, "delivered");
    }
  };

  return {
    close,
    open: ({ userId, requestId, operation, credits }) =>
      openBook(options, userId, async (book) => {
        const { balance, extra, period } = book.wallet;
        const { ledger, reservations } = book.records;
        // Also what was closed long ago is not paid for again.
        if ((await ledger.ofRequest(userId, requestId)).length > 0) return false;
        if (balance + extra < credits) {
          throw apiError("insufficient_balance", { cost: credits, balance: balance + extra });
        }
        const fromPackage = Math.min(balance, credits);
        const fromExtra = credits - fromPackage;
        const common = { kind: "reserve", requestId, note: operation } as const;
        if (fromPackage > 0) book.post({ ...common, bucket: "package", amount: -fromPackage });
        if (fromExtra > 0) book.post({ ...common, bucket: "extra", amount: -fromExtra });
        await reservations.insert({
          userId,
          requestId,
          node,
          operation,
          fromPackage,
          fromExtra,
          delivered: 0,
          period,
          openedAt: book.now,
          expiresAt: expiry(),
        });
        return true;
      }),
    async deliver(userId, requestId, credits) {
      await store.reservations.deliver(userId, requestId, credits, expiry());
    },
    closeOfNode: (dead) => closeAll(() => store.reservations.ofNode(dead, BATCH)),
    closeExpired: () => closeAll(() => store.reservations.expired(isoTime(now()), BATCH)),
  };
}

/** Gives back what was not used: first what came from the extra credits, since the package is spent first. */
function settle(book: Book, open: ReservationRecord, wanted: number): number {
  const { requestId, operation, fromPackage, fromExtra } = open;
  const used = Math.max(0, Math.min(wanted, fromPackage + fromExtra));
  const backToPackage = fromPackage - Math.min(used, fromPackage);
  const backToExtra = fromPackage + fromExtra - used - backToPackage;
  const common = { kind: used > 0 ? "settle" : "refund", requestId, note: operation } as const;
  // Also when nothing comes back: the entry says that it is over.
  if (fromPackage > 0) book.post({ ...common, bucket: "package", amount: backToPackage });
  if (fromExtra > 0) book.post({ ...common, bucket: "extra", amount: backToExtra });
  // The package that it came from is gone, and would have taken this with it.
  if (backToPackage > 0 && open.period !== book.wallet.period) {
    book.post({ kind: "expire", bucket: "package", amount: -backToPackage, requestId, note: operation });
  }
  return used;
}
