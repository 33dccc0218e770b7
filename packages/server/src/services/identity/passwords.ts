import { hash, parseOptions, verify } from "@node-rs/argon2";
import { apiError } from "@parlance/protocol";
import { createSlots } from "../../lib/slots.ts";

/** Argon2id above OWASP's minimum: about a tenth of a second and 46 MiB for each guess. */
export const ARGON2 = { memoryCost: 46 * 1024, timeCost: 2, parallelism: 1 } as const;

/** Verified when an account has no password, so that the time does not reveal it. */
export const DUMMY_HASH =
  "$argon2id$v=19$m=47104,t=2,p=1$/KwtcCWnq5N7X7W2iJcpBw$pJ6zjNxbj9irvbKP8CnabC1Xqimsygw0hjNat6GCRS4";

/** The threads that hash also read files and resolve names, and each hash takes 46 MiB. */
const HASHES_AT_ONCE = 2;
const MAX_WAITING = 64;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes the same time when there is no hash. */
  verify(passwordHash: string | null | undefined, password: string): Promise<boolean>;
  /** Whether it was hashed with other parameters than the current ones. */
  isOutdated(passwordHash: string): boolean;
}

/** Hashing runs on the thread pool, never on the event loop. Throws 503 when too many wait. */
export function createPasswords(): Passwords {
  const slots = createSlots({
    slots: HASHES_AT_ONCE,
    maxWaiting: MAX_WAITING,
    onFull: () => apiError("overloaded", {}, { retryAfterSeconds: 5 }),
  });
  return {
    hash: (password) => slots.run(() => hash(normalize(password), ARGON2)),
    async verify(passwordHash, password) {
      const matches = await slots.run(() => verify(passwordHash ?? DUMMY_HASH, normalize(password)));
      return matches && typeof passwordHash === "string";
    },
    isOutdated(passwordHash) {
      const { memoryCost, timeCost, parallelism } = parseOptions(passwordHash);
      return memoryCost !== ARGON2.memoryCost || timeCost !== ARGON2.timeCost || parallelism !== ARGON2.parallelism;
    },
  };
}

/** The same letters are the same password, however the keyboard composes them. */
function normalize(password: string): string {
  return password.normalize("NFC");
}
