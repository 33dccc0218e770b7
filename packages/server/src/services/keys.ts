import { createHash, randomBytes } from "node:crypto";
import { apiError } from "@parlance/protocol";
import type { ApiKeyRecord } from "../stores/api-keys.ts";
import type { Records } from "../stores/store.ts";

/** Whose request it is. */
export interface Caller {
  readonly userId: string;
  readonly keyId: string;
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
  revoke(keyId: string): Promise<boolean>;
}

/** A last-used time that is right to the minute saves a durable write on every request. */
const TOUCH_MS = 60_000;

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
  return {
    async authenticate(authorization) {
      const secret = bearerToken(authorization);
      const key = await store.apiKeys.findByHash(hashKey(secret));
      if (key === undefined) throw apiError("invalid_api_key", {});
      if (key.revokedAt !== null) throw apiError("revoked_api_key", {});
      if (key.expiresAt !== null && key.expiresAt <= isoTime(now())) throw apiError("expired_api_key", {});
      await touch(key);
      return { userId: key.userId, keyId: key.id };
    },
    async create(userId, name, expiresAt) {
      const key = newKey(userId, name, now(), { expiresAt });
      await store.apiKeys.insert(key.record);
      return key;
    },
    list: (userId) => store.apiKeys.listOf(userId),
    revoke: (keyId) => store.apiKeys.revoke(keyId, isoTime(now())),
  };
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

/** Secrets are long and random, so a plain hash is as safe as a slow one, and fast enough for every request. */
export function hashKey(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function bearerToken(authorization: string | undefined): string {
  if (authorization === undefined || authorization.trim() === "") throw apiError("missing_api_key", {});
  const token = /^Bearer +(\S{1,512})$/i.exec(authorization.trim())?.[1];
  if (token === undefined) throw apiError("invalid_api_key", {});
  return token;
}
