import { randomBytes } from "node:crypto";
import {
  ApiError,
  apiError,
  creditsForText,
  creditsForTranscription,
  DEFAULT_PRICES,
  type Plans,
  type Prices,
} from "@parlance/protocol";
import type { Store } from "../../stores/store.ts";
import type { Log } from "../../telemetry/log.ts";
import type { Node } from "../cluster/node.ts";
import { type Charge, createCharge, NO_CHARGE } from "./charge.ts";
import { createReservationService } from "./reservations.ts";
import { createClosings } from "./settlements.ts";
import { createWalletService } from "./wallet.ts";

export { type Charge, NO_CHARGE } from "./charge.ts";

export interface Work {
  /** Its requests may share a trace, so each charge has an id of its own that begins with this one. */
  readonly traceId: string;
  /** What the ledger says that it was: `tts`, `live`, `asr`. */
  readonly operation: string;
  readonly credits: number;
}

/** What inference pays with: a price is reserved before the work, and settled or given back after it. */
export interface Metering {
  priceOfText(text: string): number;
  priceOfAudio(seconds: number): number;
  /** Throws the 402 that says what it costs and what there is. What costs nothing needs no wallet. */
  reserve(payer: Payer, work: Work): Promise<Charge>;
  /** Throws the 402 when there is nothing to pay with for speech, however short. */
  requireCredit(payer: Payer): Promise<void>;
  /** Waits until everything that was settled or given back is in the books, or gives up. */
  close(): Promise<void>;
}

export interface Payer {
  readonly userId: string;
}

export interface MeteringParts {
  readonly store: Store;
  readonly node: Node;
  readonly plans: Plans;
  readonly prices?: Prices | undefined;
  readonly log: Pick<Log, "warn">;
}

/** Also sees to it that what dead nodes have left open is closed. */
export function createMetering({ store, node, plans, prices = DEFAULT_PRICES, log }: MeteringParts): Metering {
  const wallets = createWalletService(store, plans);
  const reservations = createReservationService({ store, plans, node: node.id });
  const closings = createClosings(reservations, log);
  node.onDead(reservations.closeOfNode);
  node.onBeat(reservations.closeExpired);
  return {
    priceOfText: (text) => creditsForText(text, prices),
    priceOfAudio: (seconds) => creditsForTranscription(seconds, prices),
    async reserve({ userId }, { traceId, operation, credits }) {
      if (credits === 0) return NO_CHARGE;
      const requestId = `${traceId}-${randomBytes(4).toString("hex")}`;
      try {
        await reservations.open({ userId, requestId, operation, credits });
      } catch (error) {
        // The database may have kept it all the same, and only its answer was lost.
        if (!(error instanceof ApiError)) closings.later({ userId, requestId, used: 0 });
        throw error;
      }
      return createCharge(
        { userId, requestId, credits },
        { deliver: reservations.deliver, close: closings.close, log },
      );
    },
    async requireCredit({ userId }) {
      if (prices.textByte === 0) return;
      const { balance, extra } = (await wallets.view(userId)).wallet;
      if (balance + extra <= 0) throw apiError("insufficient_balance", { cost: "at least 1", balance: 0 });
    },
    close: closings.finish,
  };
}
