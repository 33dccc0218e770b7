import { newId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/time.ts";
import type { Records, Store } from "../../stores/store.ts";
import type { UserRecord } from "../../stores/users.ts";
import { hashKey, newKey } from "./keys.ts";
import { createPasswords } from "./passwords.ts";
import { createSignInLink } from "./sign-in-links.ts";

export interface Bootstrap {
  readonly adminId: string;
  /** Set at the first start only, and only when no key was chosen: show it now, it cannot be shown again. */
  readonly freshKey: string | undefined;
  /** The token of a one-time sign-in link. Set at the first start only, and only when no password was chosen. */
  readonly signInToken: string | undefined;
  /** Settings that have no effect, and why. */
  readonly warnings: readonly string[];
}

/** The settings for the first admin. */
export interface ChosenAdmin {
  readonly password?: string | undefined;
  /** In lower case. */
  readonly email?: string | undefined;
}

/** Signing in with a password needs an e-mail address. */
const DEFAULT_EMAIL = "admin@localhost";

/** Makes sure that there is an admin with a key. Repeated and concurrent starts create one admin. */
export async function bootstrap(
  store: Store,
  adminKey: string | undefined,
  chosen: ChosenAdmin = {},
  now = Date.now(),
): Promise<Bootstrap> {
  const passwordHash = await hashIfNeeded(store, chosen.password);
  return store.exclusively(async (records) => {
    const existing = await records.users.findFirstAdmin();
    const admin = existing ?? (await createAdmin(records, now));
    const warnings = await setChosen(records, admin, chosen.email, passwordHash, now);
    const signInToken =
      existing === undefined && passwordHash === undefined
        ? (await createSignInLink(records, admin.id, now)).token
        : undefined;
    if (adminKey !== undefined) {
      warnings.push(...(await ensureChosenKey(records, admin.id, adminKey, now)));
      return { adminId: admin.id, freshKey: undefined, signInToken, warnings };
    }
    const hasKey = (await records.apiKeys.listOf(admin.id, isoTime(now), 1)).length > 0;
    if (hasKey) return { adminId: admin.id, freshKey: undefined, signInToken, warnings };
    const key = newKey(admin.id, "first key", now);
    await records.apiKeys.insert(key.record);
    return { adminId: admin.id, freshKey: key.secret, signInToken, warnings };
  });
}

/** Undefined when the admin has a password: a changed password is never overwritten. */
async function hashIfNeeded({ users }: Store, password: string | undefined): Promise<string | undefined> {
  if (password === undefined) return undefined;
  const admin = await users.findFirstAdmin();
  if (admin !== undefined && (await users.passwordHash(admin.id)) !== null) return undefined;
  return createPasswords().hash(password);
}

async function createAdmin(records: Records, now: number): Promise<UserRecord> {
  const at = isoTime(now);
  const admin: UserRecord = {
    id: newId(),
    role: "admin",
    plan: "unlimited",
    nickname: "admin",
    email: null,
    createdAt: at,
    updatedAt: at,
    disabledAt: null,
  };
  await records.users.insert(admin);
  return admin;
}

/** Sets the chosen address and password where the admin has none. */
async function setChosen(
  records: Records,
  admin: UserRecord,
  chosenEmail: string | undefined,
  passwordHash: string | undefined,
  now: number,
): Promise<string[]> {
  const email = chosenEmail ?? (passwordHash === undefined ? undefined : DEFAULT_EMAIL);
  const warnings: string[] = [];
  if (admin.email === null && email !== undefined) {
    const owner = await records.users.findByEmail(email);
    if (owner === undefined) await records.users.update(admin.id, { email }, isoTime(now));
    else warnings.push(`PARLANCE_ADMIN_EMAIL: the address ${email} belongs to another account`);
  }
  // Another process may have set one in the meantime.
  if (passwordHash !== undefined && (await records.users.passwordHash(admin.id)) === null) {
    await records.users.setPasswordHash(admin.id, passwordHash, isoTime(now));
  }
  return warnings;
}

async function ensureChosenKey(
  records: Records,
  adminId: string,
  secret: string,
  now: number,
): Promise<readonly string[]> {
  const existing = await records.apiKeys.findByHash(hashKey(secret));
  if (existing === undefined) {
    await records.apiKeys.insert(newKey(adminId, "PARLANCE_ADMIN_KEY", now, { secret }).record);
    return [];
  }
  // Restoring a revoked key would silently undo the revocation.
  if (existing.revokedAt !== null) return ["PARLANCE_ADMIN_KEY names a key that was revoked; it stays revoked"];
  return [];
}
