/** Records as the services see them. Times are RFC 3339 in UTC, always with milliseconds, so that they sort as text. */

export type Role = "admin" | "user";

export interface UserRecord {
  /** 32 lower-case hex digits. */
  readonly id: string;
  readonly role: Role;
  readonly nickname: string;
  readonly email: string | null;
  readonly createdAt: string;
}

export interface ApiKeyRecord {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  /** The first characters of the secret, so that people recognise it in a list. */
  readonly prefix: string;
  /** SHA-256 of the secret in hex. The secret itself is not stored. */
  readonly hash: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

export interface UserStore {
  insert(user: UserRecord): Promise<void>;
  find(id: string): Promise<UserRecord | undefined>;
  /** The first admin that was made. */
  findFirstAdmin(): Promise<UserRecord | undefined>;
}

export interface ApiKeyStore {
  insert(key: ApiKeyRecord): Promise<void>;
  findByHash(hash: string): Promise<ApiKeyRecord | undefined>;
  listOf(userId: string): Promise<readonly ApiKeyRecord[]>;
  /** False when there is no such key or it was revoked before. */
  revoke(id: string, at: string): Promise<boolean>;
  /** Writes only when the time on record is older than `olderThan`. */
  touch(id: string, at: string, olderThan: string): Promise<void>;
}

export interface Records {
  readonly users: UserStore;
  readonly apiKeys: ApiKeyStore;
}

export interface Store extends Records {
  /** Runs alone among all processes that use this database; all of it is kept, or nothing. */
  exclusively<Result>(work: (records: Records) => Promise<Result>): Promise<Result>;
  /** Throws when the database cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The database cannot be used by this program. Its message is the one line that the operator needs. */
export class StoreError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "StoreError";
  }
}
