import { randomBytes } from "node:crypto";
import {
  ApiError,
  apiError,
  creditsForText,
  creditsForTranscription,
  DEFAULT_PRICES,
  type KeyLimits,
  type Plans,
  type Prices,
} from "@parlance/protocol";
import { isoTime } from "../../lib/time.ts";
import type { Store } from "../../stores/store.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import type { Node } from "../cluster/node.ts";
import { assertWithinKey, type PayingKey, spentAt } from "../identity/key-spending.ts";
import { type Charge, createCharge, createFreeCharge } from "./charge.ts";
import { createReservationService } from "./reservations.ts";
import { createSettlementQueue } from "./settlements.ts";
import { createWalletService } from "./wallet.ts";

export type { Charge } from "./charge.ts";

export interface Work {
  /** Requests may share a trace, so each charge gets an id of its own that begins with the trace id. */
  readonly traceId: string;
  /** The note in the ledger: `tts`, `live`, `asr`. */
  readonly operation: string;
  readonly credits: number;
}

/** Charges for inference: credits are reserved before the work and settled or refunded after it. */
export interface Metering {
  priceOfText(text: string): number;
  priceOfAudio(seconds: number): number;
  /** Throws the 402 with the price and the balance. A price of 0 needs no wallet. */
  reserve(payer: Payer, work: Work): Promise<Charge>;
  /** Throws the 402 when speech has a price, and nothing is left in the wallet or of the key's own credits. */
  requireCredit(payer: Payer): Promise<void>;
  /** Waits until all settlements and refunds are written, or gives up. */
  close(): Promise<void>;
}

export interface Payer {
  readonly userId: string;
  /** Undefined: a session pays. */
  readonly keyId?: string | undefined;
  readonly limits?: KeyLimits | undefined;
}

export interface MeteringParts {
  readonly store: Store;
  readonly node: Node;
  readonly plans: Plans;
  readonly prices?: Prices | undefined;
  readonly log: LogFor<"settlement.delayed" | "settlement.corrected" | "reservation.update-failed">;
}

/** Also closes the reservations of expired nodes. */
export function createMetering({ store, node, plans, prices = DEFAULT_PRICES, log }: MeteringParts): Metering {
  const wallets = createWalletService(store, plans);
  const reservations = createReservationService({
    store,
    plans,
    node: node.id,
    onCorrected: (requestId, { before, after }) => logEvent(log, "settlement.corrected", { requestId, before, after }),
  });
  const settlements = createSettlementQueue(reservations, log);
  node.onNodeExpired(reservations.closeForNode);
  node.onHeartbeat(reservations.closeExpired);
  return {
    priceOfText: (text) => creditsForText(text, prices),
    priceOfAudio: (seconds) => creditsForTranscription(seconds, prices),
    async reserve(payer, { traceId, operation, credits }) {
      if (credits === 0) return createFreeCharge(store);
      const { userId } = payer;
      const requestId = `${traceId}-${randomBytes(4).toString("hex")}`;
      try {
        await reservations.open({ userId, requestId, operation, credits, key: keyOf(payer) });
      } catch (error) {
        // The reservation may have been committed and only the answer lost.
        if (!(error instanceof ApiError)) settlements.enqueue({ userId, requestId, used: 0 });
        throw error;
      }
      return createCharge(
        { userId, requestId, credits },
        { deliver: reservations.deliver, settle: settlements.settle, log },
      );
    },
    async requireCredit({ userId, keyId, limits }) {
      if (prices.textByte === 0) return;
      const { balance, extra } = (await wallets.view(userId)).wallet;
      if (balance + extra <= 0) throw apiError("insufficient_balance", { cost: "at least 1", balance: 0 });
      if (keyId === undefined || limits === undefined) return;
      assertWithinKey(limits, spentAt(await store.keySpending.find(keyId), isoTime(Date.now())), 1);
    },
    close: settlements.flush,
  };
}

function keyOf({ keyId, limits }: Payer): PayingKey | undefined {
  return keyId === undefined ? undefined : { keyId, limits };
}
