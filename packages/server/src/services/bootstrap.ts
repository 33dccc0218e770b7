import type { Records, Store } from "../stores/store.ts";
import { hashKey, isoTime, newId, newKey } from "./keys.ts";

export interface Bootstrap {
  readonly adminId: string;
  /** Set at the first start only, and only when no key was chosen: show it now, it cannot be shown again. */
  readonly freshKey: string | undefined;
  /** What the operator should know. */
  readonly warnings: readonly string[];
}

/** Makes sure that there is an admin with a key. Any number of starts, also at the same time, leave one admin. */
export function bootstrap(store: Store, adminKey: string | undefined, now = Date.now()): Promise<Bootstrap> {
  return store.exclusively(async (records) => {
    const adminId = await ensureAdmin(records, now);
    if (adminKey !== undefined) {
      const warnings = await ensureChosenKey(records, adminId, adminKey, now);
      return { adminId, freshKey: undefined, warnings };
    }
    if ((await records.apiKeys.listOf(adminId)).length > 0) return { adminId, freshKey: undefined, warnings: [] };
    const key = newKey(adminId, "first key", now);
    await records.apiKeys.insert(key.record);
    return { adminId, freshKey: key.secret, warnings: [] };
  });
}

async function ensureAdmin(records: Records, now: number): Promise<string> {
  const existing = await records.users.findFirstAdmin();
  if (existing !== undefined) return existing.id;
  const id = newId();
  await records.users.insert({ id, role: "admin", nickname: "admin", email: null, createdAt: isoTime(now) });
  return id;
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
  // Bringing a revoked key back to life silently would undo what somebody did on purpose.
  if (existing.revokedAt !== null) return ["PARLANCE_ADMIN_KEY names a key that was revoked; it stays revoked"];
  return [];
}
