import type { Charge, Metering, Payer } from "./metering.ts";

/** Charges for a text whose end is not known yet: each chunk is reserved before it is spoken. */
export interface ChunkCharges {
  /** Reserves the next chunk and settles the one before. Throws the 402 when there is not enough credit. */
  begin(text: string): Promise<void>;
  /** Audio of the chunk with this number, counted from 0, was delivered. */
  delivered(chunk: number): void;
  /**
   * done: the last chunk was spoken · stopped: the client does not take the rest · failed: a fault of the service, the
   * open chunk costs nothing. Written when it resolves; `done` throws when that takes too long.
   */
  end(how: "done" | "stopped" | "failed"): Promise<void>;
  /** The sum of all charges so far. */
  readonly charged: number;
}

export function createChunkCharges(metering: Metering, payer: Payer, traceId: string): ChunkCharges {
  /** The charge of the chunk that is being spoken. */
  let open: Charge | undefined;
  let number = -1;
  let charged = 0;
  let ended = false;
  const settlements: Promise<void>[] = [];

  const close = (how: (charge: Charge) => Promise<void>): void => {
    if (open === undefined) return;
    const settlement = how(open);
    // A failure is reported by `end`.
    settlement.catch(() => {});
    settlements.push(settlement);
    charged += open.charged ?? 0;
    open = undefined;
  };
  return {
    async begin(text) {
      if (ended) throw new Error("the charges have ended");
      close((charge) => charge.settle());
      number += 1;
      const charge = await metering.reserve(payer, {
        traceId,
        operation: "live",
        credits: metering.priceOfText(text),
      });
      // `end` may have been called in the meantime, and has not seen this reservation.
      if (ended) {
        await charge.refund();
        throw new Error("the charges have ended");
      }
      open = charge;
    },
    delivered(chunk) {
      if (chunk === number) open?.delivered(open.credits);
    },
    async end(how) {
      ended = true;
      close((charge) => {
        if (how === "done") return charge.settle();
        return how === "stopped" ? charge.settleDelivered() : charge.refund();
      });
      if (how === "done") await Promise.all(settlements);
      else await Promise.allSettled(settlements);
    },
    get charged() {
      return charged;
    },
  };
}
