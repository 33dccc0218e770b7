import type { Charge, Metering, Payer } from "./metering.ts";

/** Charges for audio whose end is not known yet: it is reserved in blocks, before it is recognized. */
export interface AudioCharges {
  /** The audio is this long now. Throws the 402 when there is not enough credit for what follows. */
  reach(seconds: number): Promise<void>;
  /** Seconds that are reserved. */
  readonly reserved: number;
  /** `failed`: a fault of the service, open blocks cost nothing. `done` throws when writing takes too long. */
  end(seconds: number, how: "done" | "stopped" | "failed"): Promise<void>;
  /** The sum of all charges so far. */
  readonly charged: number;
}

/** Whole seconds, so that blocks cost together what the audio costs as a whole. */
const BLOCK_SECONDS = 10;
/** A block is reserved this long before it is needed. */
const AHEAD_SECONDS = 2;

export function createAudioCharges(metering: Metering, payer: Payer, traceId: string): AudioCharges {
  let open: { readonly charge: Charge; readonly from: number }[] = [];
  let reserved = 0;
  let charged = 0;
  let ended = false;
  let reserving: Promise<void> | undefined;
  const settlements: Promise<void>[] = [];

  function close(charge: Charge, settlement: Promise<void>): void {
    // A failure is reported by `end`.
    settlement.catch(() => {});
    settlements.push(settlement);
    charged += charge.charged ?? 0;
  }

  async function reserveBlock(): Promise<void> {
    const credits = metering.priceOfAudio(BLOCK_SECONDS);
    const charge = await metering.reserve(payer, { traceId, operation: "asr", credits });
    // `end` may have been called in the meantime, and has not seen this reservation.
    if (ended) return charge.refund();
    open.push({ charge, from: reserved });
    reserved += BLOCK_SECONDS;
  }

  const usedOf = (from: number, seconds: number): number =>
    metering.priceOfAudio(Math.min(BLOCK_SECONDS, Math.max(0, seconds - from)));

  return {
    async reach(seconds) {
      for (const { charge } of open.filter(({ from }) => from + BLOCK_SECONDS <= seconds))
        close(charge, charge.settle());
      open = open.filter(({ from }) => from + BLOCK_SECONDS > seconds);
      for (const { charge, from } of open) charge.delivered(usedOf(from, seconds));
      while (!ended && seconds + AHEAD_SECONDS > reserved) {
        reserving ??= reserveBlock().finally(() => {
          reserving = undefined;
        });
        await reserving;
      }
    },
    get reserved() {
      return reserved;
    },
    async end(seconds, how) {
      ended = true;
      for (const { charge, from } of open) {
        const used = usedOf(from, seconds);
        charge.delivered(used);
        if (how === "failed") close(charge, charge.refund());
        else close(charge, how === "done" ? charge.settle(used) : charge.settleDelivered());
      }
      open = [];
      if (how === "done") await Promise.all(settlements);
      else await Promise.allSettled(settlements);
    },
    get charged() {
      return charged;
    },
  };
}
