import type { Log } from "../../telemetry/log.ts";
import type { Closing } from "./settlements.ts";

/** The price of one piece of work, from when it was reserved. The first of the three ends counts, the others do nothing. */
export interface Charge {
  /** What was reserved. */
  readonly credits: number;
  /** What it has cost; undefined while it is open. */
  readonly charged: number | undefined;
  /** The price of all that the caller has got by now. It is noted now and then, without anybody waiting for it. */
  delivered(credits: number): void;
  /** The work is done. Keeps all, or what is given. In the books when it resolves; throws when that takes too long. */
  settle(used?: number): Promise<void>;
  /** The caller has left. Keeps the price of what was delivered. Never throws. */
  settleDelivered(): Promise<void>;
  /** The work has failed. Gives all back. Never throws. */
  refund(): Promise<void>;
}

export interface ChargeParts {
  readonly deliver: (userId: string, requestId: string, credits: number) => Promise<void>;
  /** Whether it could be written. Does not throw: what cannot be written now is written later. */
  readonly close: (closing: Closing) => Promise<boolean>;
  readonly log: Pick<Log, "warn">;
}

export interface Reserved {
  readonly userId: string;
  readonly requestId: string;
  readonly credits: number;
}

export function createCharge({ userId, requestId, credits }: Reserved, { deliver, close, log }: ChargeParts): Charge {
  let soFar = 0;
  let noted = 0;
  let noting = false;
  let charged: number | undefined;
  let closing: Promise<boolean> | undefined;

  const note = async (): Promise<void> => {
    noting = true;
    try {
      // While one note is being written more may be delivered: the next one has it all.
      while (noted < soFar && closing === undefined) {
        const next = soFar;
        await deliver(userId, requestId, next);
        noted = next;
      }
    } catch (err) {
      log.warn({ err }, "what was delivered was not noted");
    } finally {
      noting = false;
    }
  };
  const end = (used: number): Promise<boolean> => {
    charged ??= Math.max(0, Math.min(used, credits));
    closing ??= close({ userId, requestId, used: charged });
    return closing;
  };
  return {
    credits,
    get charged() {
      return charged;
    },
    delivered(price) {
      soFar = Math.max(soFar, Math.min(price, credits));
      if (!noting && noted < soFar && closing === undefined) void note();
    },
    async settle(used = credits) {
      if (!(await end(used))) throw new Error("the charge could not be written in good time");
    },
    async settleDelivered() {
      await end(soFar);
    },
    async refund() {
      await end(0);
    },
  };
}

/** For what costs nothing. */
export const NO_CHARGE: Charge = {
  credits: 0,
  charged: 0,
  delivered: () => {},
  settle: async () => {},
  settleDelivered: async () => {},
  refund: async () => {},
};
