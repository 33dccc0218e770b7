import { apiError, type Plans } from "@parlance/protocol";
import { isoTime } from "../../lib/time.ts";
import type { ReservationRecord } from "../../stores/reservations.ts";
import type { Records, Store } from "../../stores/store.ts";
import { type PayingKey, returnToKey, spendFromKey } from "../identity/key-spending.ts";
import { type Correction, correctSettlement } from "./late-settlement.ts";
import { type LockedWallet, withLockedWallet } from "./locked-wallet.ts";

export interface NewReservation {
  readonly userId: string;
  /** Unique for this piece of work. The same id twice is one reservation. */
  readonly requestId: string;
  readonly operation: string;
  readonly credits: number;
  /** Left out: a session pays. */
  readonly key?: PayingKey | undefined;
}

/** Writes the result of the work in the transaction that charges for it. False: it does not count, so nothing is charged. */
export type WriteResult = (records: Records) => Promise<boolean>;

export interface Reservations {
  /** Takes the credits out of the wallet, or throws the 402. False when this request was reserved before. */
  open(reservation: NewReservation): Promise<boolean>;
  /** Writes how much was delivered so far, in case this node expires before it settles. */
  deliver(userId: string, requestId: string, credits: number): Promise<void>;
  /**
   * Charges what was used, at most what was reserved, and returns the rest to the wallet. "delivered": charges what
   * `deliver` has written. The first close counts and gives what it charged; further calls give undefined. Only the first
   * one of the process that opened the reservation corrects what other processes have charged.
   */
  close(
    userId: string,
    requestId: string,
    used: number | "delivered",
    writeResult?: WriteResult,
  ): Promise<number | undefined>;
  /** Closes all reservations of a node, charging what was delivered. */
  closeForNode(node: string): Promise<void>;
  /** Closes reservations of this node past their expiry, charging what was delivered. Those of nodes that are gone, too. */
  closeExpired(): Promise<void>;
}

export interface ReservationOptions {
  readonly store: Store;
  readonly plans: Plans;
  /** The id of this process. */
  readonly node: string;
  readonly now?: (() => number) | undefined;
  /** Milliseconds on a clock that cannot be set. */
  readonly elapsed?: (() => number) | undefined;
  /** This node had expired, and another one has closed the reservation of a running request. */
  readonly onCorrected?: ((requestId: string, correction: Correction) => void) | undefined;
}

/** A reservation that this process has opened. */
interface OwnReservation {
  readonly record: ReservationRecord;
  /** Changes when it is used. */
  usedAt: number;
  /** The call of `close` that has taken it out of the database. */
  takenBy: object | undefined;
}

/** Longer than any pause between two parts of a response. */
const EXPIRES_MS = 3_600_000;
const BATCH = 100;

export function createReservationService(given: ReservationOptions): Reservations {
  const { store, plans, node, now = Date.now, elapsed = () => performance.now(), onCorrected } = given;
  const options = { store, plans, now };
  /**
   * The reservations that this process has open, and when they were last used, on a clock that cannot be set: when the time
   * of day jumps, as after a machine was suspended, the requests that run keep theirs.
   */
  const own = new Map<string, OwnReservation>();
  const keyOf = (userId: string, requestId: string): string => `${userId} ${requestId}`;
  const isRunning = ({ userId, requestId }: ReservationRecord): boolean =>
    elapsed() - (own.get(keyOf(userId, requestId))?.usedAt ?? -EXPIRES_MS) < EXPIRES_MS;
  const expiry = (): string => isoTime(now() + EXPIRES_MS);

  const close: Reservations["close"] = async (userId, requestId, used, writeResult) => {
    const mine = own.get(keyOf(userId, requestId));
    const call = {};
    let correction: Correction | undefined;
    const work = async (locked: LockedWallet) => {
      const charged = (await writeResult?.(locked.records)) === false ? 0 : used;
      const open = await locked.records.reservations.take(userId, requestId);
      if (open === undefined) {
        const isClosedHere = mine?.takenBy !== undefined && mine.takenBy !== call;
        if (mine === undefined || isClosedHere || charged === "delivered") return undefined;
        correction = await correctSettlement(locked, mine.record, charged);
        return correction?.after;
      }
      if (mine) mine.takenBy = call;
      const settled = settle(locked, open, charged === "delivered" ? open.delivered : charged);
      const unused = open.fromPackage + open.fromExtra - settled;
      if (open.keyId !== null) await returnToKey(locked.records, open.keyId, unused, open.openedAt);
      return settled;
    };
    try {
      const result = await withLockedWallet(options, userId, work, true);
      own.delete(keyOf(userId, requestId));
      if (correction) onCorrected?.(requestId, correction);
      return result;
    } catch (error) {
      if (mine?.takenBy === call) mine.takenBy = undefined;
      throw error;
    }
  };
  const renew = ({ userId, requestId, delivered }: ReservationRecord) =>
    store.reservations.deliver(userId, requestId, delivered, expiry());
  const forAll = async (
    next: () => Promise<readonly ReservationRecord[]>,
    work: (open: ReservationRecord) => Promise<unknown>,
  ): Promise<void> => {
    for (let all = await next(); all.length > 0; all = await next()) for (const open of all) await work(open);
  };
  const closeDelivered = ({ userId, requestId }: ReservationRecord) => close(userId, requestId, "delivered");

  return {
    close,
    open: ({ userId, requestId, operation, credits, key }) =>
      withLockedWallet(options, userId, async (locked) => {
        const { balance, extra, period } = locked.wallet;
        const { ledger, reservations } = locked.records;
        // The ledger also knows requests that were settled long ago.
        if ((await ledger.ofRequest(userId, requestId)).length > 0) return false;
        if (balance + extra < credits) {
          throw apiError("insufficient_balance", { cost: credits, balance: balance + extra });
        }
        if (key !== undefined) await spendFromKey(locked.records, key, credits, locked.now);
        const fromPackage = Math.min(balance, credits);
        const fromExtra = credits - fromPackage;
        const common = { kind: "reserve", requestId, note: operation } as const;
        if (fromPackage > 0) locked.post({ ...common, bucket: "package", amount: -fromPackage });
        if (fromExtra > 0) locked.post({ ...common, bucket: "extra", amount: -fromExtra });
        const record: ReservationRecord = {
          userId,
          requestId,
          keyId: key?.keyId ?? null,
          node,
          operation,
          fromPackage,
          fromExtra,
          delivered: 0,
          period,
          openedAt: locked.now,
          expiresAt: expiry(),
        };
        await reservations.insert(record);
        own.set(keyOf(userId, requestId), { record, usedAt: elapsed(), takenBy: undefined });
        return true;
      }),
    async deliver(userId, requestId, credits) {
      const mine = own.get(keyOf(userId, requestId));
      if (mine) mine.usedAt = elapsed();
      await store.reservations.deliver(userId, requestId, credits, expiry());
    },
    closeForNode: (expired) => forAll(() => store.reservations.ofNode(expired, BATCH), closeDelivered),
    async closeExpired() {
      // The other nodes know which of theirs run.
      const others = (await store.nodes.list()).map(({ id }) => id).filter((id) => id !== node);
      await forAll(
        () => store.reservations.expired(isoTime(now()), BATCH, others),
        (open) => (isRunning(open) ? renew(open) : closeDelivered(open)),
      );
    },
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
