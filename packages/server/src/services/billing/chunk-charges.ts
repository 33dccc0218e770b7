import type { Charge, Metering, Payer } from "./metering.ts";

/** Pays for a text whose end is not known yet: each chunk when its turn comes. */
export interface ChunkCharges {
  /** Before a chunk is spoken; all before it were. Throws the 402 when it cannot be paid. */
  begin(text: string): Promise<void>;
  /** The chunk with this number, counted from 0, can be heard. */
  heard(chunk: number): void;
  /**
   * done: the last chunk was spoken · stopped: nobody wants the rest · failed: a fault of ours, what was begun costs
   * nothing. In the books when it resolves; `done` throws when that takes too long.
   */
  end(how: "done" | "stopped" | "failed"): Promise<void>;
  /** What all of it has cost by now. */
  readonly charged: number;
}

export function createChunkCharges(metering: Metering, payer: Payer, traceId: string): ChunkCharges {
  /** The one that is being spoken. */
  let open: Charge | undefined;
  let number = -1;
  let charged = 0;
  let ended = false;
  const closings: Promise<void>[] = [];

  const close = (how: (charge: Charge) => Promise<void>): void => {
    if (open === undefined) return;
    const closing = how(open);
    // Whether it went well is asked at the end.
    closing.catch(() => {});
    closings.push(closing);
    charged += open.charged ?? 0;
    open = undefined;
  };
  return {
    async begin(text) {
      if (ended) throw new Error("nobody wants to hear it any more");
      close((charge) => charge.settle());
      number += 1;
      const charge = await metering.reserve(payer, {
        traceId,
        operation: "live",
        credits: metering.priceOfText(text),
      });
      // The end may have come in the meantime, and has not seen this one.
      if (ended) {
        await charge.refund();
        throw new Error("nobody wants to hear it any more");
      }
      open = charge;
    },
    heard(chunk) {
      if (chunk === number) open?.delivered(open.credits);
    },
    async end(how) {
      ended = true;
      close((charge) => {
        if (how === "done") return charge.settle();
        return how === "stopped" ? charge.settleDelivered() : charge.refund();
      });
      if (how === "done") await Promise.all(closings);
      else await Promise.allSettled(closings);
    },
    get charged() {
      return charged;
    },
  };
}
