import { createHash, randomBytes } from "node:crypto";
import { apiError, type PlanName, type Role } from "@parlance/protocol";
import type { ApiKeyRecord } from "../../stores/api-keys.ts";
import type { Records } from "../../stores/store.ts";

export type { ApiKeyRecord };

/** Whose request it is. */
export interface Caller {
  readonly userId: string;
  /** Undefined when it came with the dashboard's session instead of a key. */
  readonly keyId: string | undefined;
  readonly role: Role;
  readonly plan: PlanName;
}

export interface NewKey {
  /** Shown once, then only its hash is known. */
  readonly secret: string;
  readonly record: ApiKeyRecord;
}

export interface Keys {
  /** Throws the 401 that says what is wrong with the header. */
  authenticate(authorization: string | undefined): Promise<Caller>;
  create(userId: string, name: string, expiresAt?: Date): Promise<NewKey>;
  list(userId: string): Promise<readonly ApiKeyRecord[]>;
  /** Throws the 404 when this user has no such key. */
  rename(userId: string, keyId: string, name: string): Promise<ApiKeyRecord>;
  /** False when there is no such key or it was revoked before. */
  revoke(keyId: string): Promise<boolean>;
  /** Throws the 404 when this user has no such key. One that was revoked before stays as it is. */
  revokeOwn(userId: string, keyId: string): Promise<void>;
}

/** A last-used time that is right to the minute saves a durable write on every request. */
const TOUCH_MS = 60_000;
/** Keys that work, of one account. */
const MOST_KEYS = 100;

export function createKeys(
  store: Pick<Records, "apiKeys">,
  now: () => number = Date.now,
  onTouchFault: (error: unknown) => void = () => {},
): Keys {
  const touch = async (key: ApiKeyRecord): Promise<void> => {
    const olderThan = isoTime(now() - TOUCH_MS);
    if (key.lastUsedAt !== null && key.lastUsedAt >= olderThan) return;
    // Losing a last-used time must not lose the request.
    await store.apiKeys.touch(key.id, isoTime(now()), olderThan).catch(onTouchFault);
  };
  // Somebody else's key is as unknown as one that is not there: ids are not to be guessed at.
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
      return { userId: key.userId, keyId: key.id, role: owner.role, plan: owner.plan };
    },
    async create(userId, name, expiresAt) {
      const active = (await store.apiKeys.listOf(userId)).filter((key) => works(key, isoTime(now())));
      if (active.length >= MOST_KEYS) throw apiError("too_many_keys", { limit: MOST_KEYS });
      const key = newKey(userId, name, now(), { expiresAt });
      await store.apiKeys.insert(key.record);
      return key;
    },
    list: (userId) => store.apiKeys.listOf(userId),
    async rename(userId, keyId, name) {
      const key = await own(userId, keyId);
      await store.apiKeys.rename(keyId, name);
      return { ...key, name };
    },
    revoke: (keyId) => store.apiKeys.revoke(keyId, isoTime(now())),
    async revokeOwn(userId, keyId) {
      await own(userId, keyId);
      await store.apiKeys.revoke(keyId, isoTime(now()));
    },
  };
}

function works({ revokedAt, expiresAt }: ApiKeyRecord, now: string): boolean {
  return revokedAt === null && (expiresAt === null || expiresAt > now);
}

/** A key that is not stored yet: a fresh secret, or one that the operator chose. */
export function newKey(
  userId: string,
  name: string,
  now: number,
  options: { readonly secret?: string | undefined; readonly expiresAt?: Date | undefined } = {},
): NewKey {
  const secret = options.secret ?? `pl-${randomBytes(32).toString("base64url")}`;
  return {
    secret,
    record: {
      id: newId(),
      userId,
      name,
      // Of a chosen secret we do not know how much of it can be told, so little is.
      prefix: secret.slice(0, options.secret === undefined ? 9 : 3),
      hash: hashKey(secret),
      createdAt: isoTime(now),
      expiresAt: options.expiresAt?.toISOString() ?? null,
      revokedAt: null,
      lastUsedAt: null,
    },
  };
}

export function newId(): string {
  return randomBytes(16).toString("hex");
}

export function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/**
 * Secrets are long and random, so a plain hash is as safe as a slow one, and fast enough for every request.
 * A secret is looked up by its hash alone, in an index. How long that takes may tell something about the stored hashes,
 * but nobody can choose the hash of what he sends, so it tells nothing about the secrets: one that shares a prefix with
 * a real key has a hash that shares nothing. The prefix on record is for people to read and is never compared.
 */
export function hashKey(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined || authorization.trim() === "") throw apiError("missing_api_key", {});
  const token = /^Bearer +(\S{1,512})$/i.exec(authorization.trim())?.[1];
  if (token === undefined) throw apiError("invalid_api_key", {});
  return token;
}
