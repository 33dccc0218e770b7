import { hash, parseOptions, verify } from "@node-rs/argon2";
import { apiError } from "@parlance/protocol";

/**
 * Argon2id above the least that OWASP asks for: about a tenth of a second and 46 MiB for each guess, which a small machine can spare
 * and somebody with a stolen database has to spend on every word of his list.
 */
export const ARGON2 = { memoryCost: 46 * 1024, timeCost: 2, parallelism: 1 } as const;

/** The hash of nobody's password, at the same cost: checking against it takes as long as against a real one. */
export const DECOY =
  "$argon2id$v=19$m=47104,t=2,p=1$/KwtcCWnq5N7X7W2iJcpBw$pJ6zjNxbj9irvbKP8CnabC1Xqimsygw0hjNat6GCRS4";

/** At a time: the threads that hash also read files and look up names, and the memory is taken for each. */
const AT_A_TIME = 2;
const MAX_PENDING_SIZE = 64;

export interface Passwords {
  hash(password: string): Promise<string>;
  /** Takes as long when there is no hash to check against. */
  verify(passwordHash: string | null | undefined, password: string): Promise<boolean>;
  /** Whether it was hashed at another cost than is used now. */
  isOutdated(passwordHash: string): boolean;
}

/** Hashing runs on threads of the pool, never on the event loop. Work over the bound is refused. */
export function createPasswords(): Passwords {
  const waiting: (() => void)[] = [];
  let running = 0;
  const inTurn = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (running >= AT_A_TIME) {
      if (waiting.length >= MAX_PENDING_SIZE) throw apiError("overloaded", {}, { retryAfterSeconds: 5 });
      // Whoever leaves hands over the turn, so that nobody slips in between.
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
  return {
    hash: (password) => inTurn(() => hash(normal(password), ARGON2)),
    async verify(passwordHash, password) {
      const matches = await inTurn(() => verify(passwordHash ?? DECOY, normal(password)));
      return matches && typeof passwordHash === "string";
    },
    isOutdated(passwordHash) {
      const { memoryCost, timeCost, parallelism } = parseOptions(passwordHash);
      return memoryCost !== ARGON2.memoryCost || timeCost !== ARGON2.timeCost || parallelism !== ARGON2.parallelism;
    },
  };
}

/** The same letters are the same password, whichever way a keyboard composes them. */
function normal(password: string): string {
  return password.normalize("NFC");
}
