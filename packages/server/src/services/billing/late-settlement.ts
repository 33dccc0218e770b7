import type { LedgerBucket } from "@parlance/protocol";
import type { LedgerRecord } from "../../stores/ledger.ts";
import type { ReservationRecord } from "../../stores/reservations.ts";
import { returnToKey } from "../identity/key-spending.ts";
import type { LockedWallet } from "./locked-wallet.ts";

/** What a request has cost before and after its correction. */
export interface Correction {
  readonly before: number;
  readonly after: number;
}

/**
 * Charges the difference when another node has closed the reservation of a request that was still running: this node
 * had expired, and the other one charged what was delivered by then. The wallet may have been used since, so the correction takes no
 * more than what is left in it. Undefined when there is nothing to correct.
 */
export async function correctSettlement(
  locked: LockedWallet,
  open: ReservationRecord,
  requested: number,
): Promise<Correction | undefined> {
  const { userId, requestId, operation, fromPackage, fromExtra } = open;
  const entries = await locked.records.ledger.ofRequest(userId, requestId);
  // The reservation was not committed, or the correction was, and only the answer was lost.
  if (entries.length === 0 || entries.some(({ kind }) => kind === "correct")) return undefined;
  const used = Math.max(0, Math.min(requested, fromPackage + fromExtra));
  const charged = { package: chargedTo(entries, "package"), extra: chargedTo(entries, "extra") };
  const missing = missingFrom(open, used, charged, locked.wallet.period);
  const { balance, extra } = locked.wallet;
  // What one bucket lacks comes from the other.
  const toPackage = Math.min(missing.package + Math.max(0, missing.extra - extra), balance);
  const toExtra = Math.min(missing.extra + Math.max(0, missing.package - balance), extra);
  const common = { kind: "correct", requestId, note: operation } as const;
  if (toPackage !== 0) locked.post({ ...common, bucket: "package", amount: -toPackage });
  if (toExtra !== 0) locked.post({ ...common, bucket: "extra", amount: -toExtra });
  const difference = toPackage + toExtra;
  if (difference === 0) return undefined;
  if (open.keyId !== null) await returnToKey(locked.records, open.keyId, -difference, open.openedAt);
  const before = charged.package + charged.extra;
  return { before, after: before + difference };
}

/** Negative: too much was charged. */
function missingFrom(
  { fromPackage, period }: ReservationRecord,
  used: number,
  charged: Readonly<Record<LedgerBucket, number>>,
  currentPeriod: number,
): Readonly<Record<LedgerBucket, number>> {
  const usedOfPackage = Math.min(used, fromPackage);
  return {
    // The package that the credits came from has expired with all that was returned to it.
    package: period === currentPeriod ? usedOfPackage - charged.package : 0,
    extra: used - usedOfPackage - charged.extra,
  };
}

function chargedTo(entries: readonly LedgerRecord[], bucket: LedgerBucket): number {
  return entries
    .filter((entry) => entry.bucket === bucket && entry.kind !== "expire")
    .reduce((sum, { amount }) => sum - amount, 0);
}
