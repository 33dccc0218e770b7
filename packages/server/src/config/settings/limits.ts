import { DEFAULT_PRICES, LIMITS } from "@parlance/protocol";
import { plans, prices } from "../plans.ts";
import { optionalSetting, setting } from "../setting.ts";
import { integer } from "../value-types.ts";

export const limits = {
  maxTextCharacters: setting({
    name: "PARLANCE_MAX_TEXT",
    type: integer(1, 1_000_000),
    default: String(LIMITS.textCharacters),
    meaning: "Maximum number of characters in the text of one request.",
  }),
  concurrency: optionalSetting({
    name: "PARLANCE_CONCURRENCY",
    type: integer(1, 100_000),
    unset: "by plan",
    meaning: "Maximum number of requests that one account may run at once, for every plan. See [limits.md](limits.md).",
  }),
  requestsPerMinute: optionalSetting({
    name: "PARLANCE_REQUESTS_PER_MINUTE",
    type: integer(0, 1_000_000),
    unset: "by plan",
    meaning: "Maximum number of requests that one account may start in a minute, for every plan. `0`: no limit.",
  }),
  socketsPerAccount: setting({
    name: "PARLANCE_SOCKETS_PER_ACCOUNT",
    type: integer(1, 100_000),
    default: "100",
    meaning:
      "Maximum number of live WebSockets that one account may have open on a server, idle ones included. A further one is answered with 429.",
  }),
  waitMs: setting({
    name: "PARLANCE_WAIT_MS",
    type: integer(0, 60_000),
    default: "0",
    meaning:
      "Milliseconds that a request over its account's limit waits for a free slot before it is refused with 429. Raise it for clients that do not retry.",
  }),
  minFreeMb: setting({
    name: "PARLANCE_MIN_FREE_MB",
    type: integer(0, 1_000_000),
    default: "64",
    meaning:
      "Megabytes of memory below which new requests are refused with 503, so that the kernel does not have to end a process. Of the container (its control group) or the machine, whichever has less. `0`: never refuse for this.",
  }),
  plans: setting({
    name: "PARLANCE_PLANS",
    type: plans,
    default: "{}",
    meaning: "Changes to the credits and limits of the plans. Values that are left out keep their defaults, see below.",
  }),
  prices: setting({
    name: "PARLANCE_PRICES",
    type: prices,
    default: JSON.stringify(DEFAULT_PRICES),
    meaning:
      "Credits for each UTF-8 byte of synthesized text and for each started second of transcribed audio. See [wallet.md](wallet.md).",
  }),
};
