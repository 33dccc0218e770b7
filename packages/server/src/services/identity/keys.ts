import { createHash } from "node:crypto";
import { apiError, type KeyLimits, type KeyScope, type PlanName, type Role } from "@parlance/protocol";
import { newId, newToken } from "../../lib/ids.ts";
import { isoTime } from "../../lib/time.ts";
import type { ApiKeyRecord } from "../../stores/api-keys.ts";
import type { Store } from "../../stores/store.ts";
import { type KeySpending, spentAt } from "./key-spending.ts";

export type { ApiKeyRecord };

/** The account and the key or session behind a request. */
export interface Caller {
  readonly userId: string;
  /** Undefined when the request has a session instead of a key. */
  readonly keyId: string | undefined;
  readonly role: Role;
  readonly plan: PlanName;
  /** What its key may be used for; undefined: everything, as a session. */
  readonly scopes?: readonly KeyScope[] | undefined;
  /** The own limits of its key; undefined: only those of the account. */
  readonly limits?: KeyLimits | undefined;
}

export interface NewKey {
  /** Shown once; only its hash is stored. */
  readonly secret: string;
  readonly record: ApiKeyRecord;
}

/** What is left out stays as it is. `limits` replaces all of them; undefined: none. */
export interface KeyChange {
  readonly name?: string | undefined;
  readonly limits?: KeyLimits | undefined;
}

export interface Keys {
  /** Throws the 401 that describes the problem with the header. */
  authenticate(authorization: string | undefined): Promise<Caller>;
  /** `scopes` left out: it may be used for everything that the account may. */
  create(
    userId: string,
    name: string,
    expiresAt?: Date,
    scopes?: readonly KeyScope[],
    limits?: KeyLimits,
  ): Promise<NewKey>;
  /** All that are valid, and the newest of the others: those are never deleted, since reports of usage name them. */
  list(userId: string): Promise<readonly ApiKeyRecord[]>;
  /** The credits that each of these keys has used, in their order. */
  spent(keyIds: readonly string[]): Promise<readonly KeySpending[]>;
  /** Throws the 404 when there is no such key, the 403 when it belongs to another account. */
  change(userId: string, keyId: string, change: KeyChange): Promise<ApiKeyRecord>;
  /** False when there is no such key or it was revoked before. */
  revoke(keyId: string): Promise<boolean>;
  /** Like `change` for unknown keys and keys of others. Revoking again changes nothing. */
  revokeOwn(userId: string, keyId: string): Promise<void>;
}

/** Last-used times are exact to a minute, which saves a durable write on every request. */
const TOUCH_MS = 60_000;
/** Valid keys of one account. */
const MAX_KEYS = 100;
const MAX_LISTED = 2 * MAX_KEYS;

export function createKeys(
  store: Pick<Store, "apiKeys" | "keySpending" | "transaction" | "turns">,
  now: () => number = Date.now,
  onTouchFault: (error: unknown) => void = () => {},
): Keys {
  const touch = async (key: ApiKeyRecord): Promise<void> => {
    const olderThan = isoTime(now() - TOUCH_MS);
    if (key.lastUsedAt !== null && key.lastUsedAt >= olderThan) return;
    // A failed write must not fail the request.
    await store.apiKeys.touch(key.id, isoTime(now()), olderThan).catch(onTouchFault);
  };
  // A key of another account answers 403, an unknown id 404. Ids are 128 random bits, so the difference helps no guess.
  const own = async (userId: string, keyId: string): Promise<ApiKeyRecord> => {
    const key = await store.apiKeys.find(keyId);
    if (key === undefined) throw apiError("unknown_key", {});
    if (key.userId !== userId) throw apiError("forbidden", {});
    return key;
  };
  return {
    async authenticate(authorization) {
      const secret = bearerToken(authorization);
      const found = await store.apiKeys.findOwned(hashKey(secret));
      if (found === undefined) throw apiError("invalid_api_key", {});
      const { key, owner } = found;
      if (key.revokedAt !== null) throw apiError("revoked_api_key", {});
      if (key.expiresAt !== null && key.expiresAt <= isoTime(now())) throw apiError("expired_api_key", {});
      if (owner.disabledAt !== null) throw apiError("account_disabled", {});
      await touch(key);
      return {
        userId: key.userId,
        keyId: key.id,
        role: owner.role,
        plan: owner.plan,
        ...(key.scopes === null ? {} : { scopes: key.scopes }),
        ...(key.limits === null ? {} : { limits: key.limits }),
      };
    },
    async create(userId, name, expiresAt, scopes, limits) {
      const key = newKey(userId, name, now(), { expiresAt, scopes, limits });
      await store.turns.run(userId, () =>
        store.transaction(async ({ users, apiKeys }) => {
          // Concurrent requests would otherwise count the same keys.
          await users.lock(userId);
          if ((await apiKeys.countValid(userId, isoTime(now()))) >= MAX_KEYS)
            throw apiError("too_many_keys", { limit: MAX_KEYS });
          await apiKeys.insert(key.record);
        }),
      );
      return key;
    },
    list: (userId) => store.apiKeys.listOf(userId, isoTime(now()), MAX_LISTED),
    async spent(keyIds) {
      const records = new Map((await store.keySpending.list(keyIds)).map((record) => [record.keyId, record]));
      return keyIds.map((id) => spentAt(records.get(id), isoTime(now())));
    },
    async change(userId, keyId, change) {
      const key = await own(userId, keyId);
      const changes = {
        ...(change.name === undefined ? {} : { name: change.name }),
        ...("limits" in change ? { limits: change.limits ?? null } : {}),
      };
      await store.apiKeys.change(keyId, changes);
      return { ...key, ...changes };
    },
    revoke: (keyId) => store.apiKeys.revoke(keyId, isoTime(now())),
    async revokeOwn(userId, keyId) {
      await own(userId, keyId);
      await store.apiKeys.revoke(keyId, isoTime(now()));
    },
  };
}

/** A key that is not stored yet: a fresh secret, or one that the operator chose. */
export function newKey(
  userId: string,
  name: string,
  now: number,
  options: {
    readonly secret?: string | undefined;
    readonly expiresAt?: Date | undefined;
    readonly scopes?: readonly KeyScope[] | undefined;
    readonly limits?: KeyLimits | undefined;
  } = {},
): NewKey {
  const secret = options.secret ?? `pl-${newToken()}`;
  return {
    secret,
    record: {
      id: newId(),
      userId,
      name,
      // A chosen secret may be short, so less of it is shown.
      prefix: secret.slice(0, options.secret === undefined ? 9 : 3),
      hash: hashKey(secret),
      createdAt: isoTime(now),
      expiresAt: options.expiresAt?.toISOString() ?? null,
      revokedAt: null,
      lastUsedAt: null,
      scopes: options.scopes ?? null,
      limits: options.limits ?? null,
    },
  };
}

/**
 * Secrets are long and random, so a plain hash is as safe as a slow one, and fast enough for every request.
 * A secret is looked up by its hash in an index. The timing of the lookup may reveal something about stored hashes, but
 * a client cannot choose the hash of the secret it sends, so it reveals nothing about the secrets. The stored prefix is
 * only for display and never compared.
 */
export function hashKey(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** `Token` is how some clients of other services write it. */
function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined || authorization.trim() === "") throw apiError("missing_api_key", {});
  const token = /^(?:Bearer|Token) +(\S{1,512})$/i.exec(authorization.trim())?.[1];
  if (token === undefined) throw apiError("invalid_api_key", {});
  return token;
}
