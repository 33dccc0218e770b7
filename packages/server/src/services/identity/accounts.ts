import { apiError, type PlanName, type Role } from "@parlance/protocol";
import { newId } from "../../lib/ids.ts";
import { createSlotsByKey } from "../../lib/slots-by-key.ts";
import { isoTime } from "../../lib/time.ts";
import type { Records, Store } from "../../stores/store.ts";
import { isTaken } from "../../stores/store-error.ts";
import type { UserPage, UserRecord } from "../../stores/users.ts";
import type { Passwords } from "./passwords.ts";
import { createSignInLink, type FreshLink } from "./sign-in-links.ts";

export type { UserRecord };

export interface NewAccount {
  readonly email: string | null;
  readonly nickname: string;
  readonly role: Role;
  readonly plan: PlanName;
  readonly password?: string | undefined;
}

/** Fields that are left out stay as they are. */
export interface AccountChange {
  readonly email?: string | undefined;
  readonly nickname?: string | undefined;
  readonly role?: Role | undefined;
  readonly plan?: PlanName | undefined;
  readonly password?: string | undefined;
  readonly disabled?: boolean | undefined;
}

/** The rules about accounts. Permissions and values are checked before. */
export interface Accounts {
  /** Throws the 404. */
  find(id: string): Promise<UserRecord>;
  /** By id or e-mail address. */
  search(idOrEmail: string): Promise<UserRecord | undefined>;
  list(page: UserPage): Promise<{ readonly total: number; readonly users: readonly UserRecord[] }>;
  create(account: NewAccount): Promise<UserRecord>;
  /** A new password ends all sessions but `keptSession`; disabling ends all sessions and requests of the account. */
  change(id: string, change: AccountChange, keptSession?: string): Promise<UserRecord>;
  /** Throws for a disabled account, which cannot sign in. */
  createLink(id: string): Promise<FreshLink>;
  /** Which of these accounts have a password. */
  withPassword(ids: readonly string[]): Promise<readonly string[]>;
  /** Whether it is the account's password. */
  isPassword(id: string, password: string): Promise<boolean>;
}

export interface AccountsParts {
  readonly store: Store;
  readonly passwords: Passwords;
  /** Called after an account was disabled. */
  readonly onDisabled?: (userId: string) => void;
  readonly now?: () => number;
}

/** One account must not take all places where passwords wait to be hashed: others sign in there. */
const NEW_PASSWORDS = {
  slots: 1,
  maxWaiting: 1,
  onFull: () => apiError("overloaded", {}, { retryAfterSeconds: 1 }),
};

export function createAccounts({ store, passwords, onDisabled, now = Date.now }: AccountsParts): Accounts {
  const newPasswords = createSlotsByKey(NEW_PASSWORDS);
  const hashFor = async (id: string, password: string): Promise<string> => {
    const leave = await newPasswords.enter(id);
    return passwords.hash(password).finally(leave);
  };
  const find = async (id: string, records: Records = store): Promise<UserRecord> => {
    const user = await records.users.find(id);
    if (user === undefined) throw apiError("unknown_user", {});
    return user;
  };
  return {
    find: (id) => find(id),
    async search(idOrEmail) {
      return (await store.users.find(idOrEmail)) ?? (await store.users.findByEmail(idOrEmail.trim().toLowerCase()));
    },
    async list(page) {
      const [total, users] = [await store.users.count(page.search), await store.users.list(page)];
      return { total, users };
    },
    async create({ password, ...rest }) {
      const at = isoTime(now());
      const user = { id: newId(), ...rest, createdAt: at, updatedAt: at, disabledAt: null };
      const passwordHash = password === undefined ? undefined : await passwords.hash(password);
      await unlessTaken(store.users.insert(user, passwordHash));
      return user;
    },
    async change(id, change, keptSession) {
      const { password, disabled, ...fields } = change;
      // Hashed before the transaction: it is slow, and the transaction blocks other writers.
      const passwordHash = password === undefined ? undefined : await hashFor(id, password);
      // Exclusive, so that two admins who demote each other at once do not both lose the role.
      const changed = await store.exclusively(async (records) => {
        const before = await find(id, records);
        const at = isoTime(now());
        const disabledAt = disabled === undefined ? undefined : disabled ? (before.disabledAt ?? at) : null;
        await unlessTaken(records.users.update(id, { ...fields, disabledAt }, at));
        if (passwordHash !== undefined) await records.users.setPasswordHash(id, passwordHash, at);
        if (passwordHash !== undefined || disabled) {
          await records.sessions.deleteOf(id, disabled ? undefined : keptSession);
          await records.signInLinks.deleteOf(id);
        }
        const user = await find(id, records);
        if (isActiveAdmin(before) && !isActiveAdmin(user) && (await records.users.countAdmins()) === 0) {
          throw apiError("last_admin", {});
        }
        return user;
      });
      if (disabled) onDisabled?.(id);
      return changed;
    },
    createLink: (id) =>
      store.transaction(async (records) => {
        if ((await find(id, records)).disabledAt !== null) {
          throw apiError("invalid_value", { field: "user", value: id, allowed: "the account is disabled" });
        }
        return createSignInLink(records, id, now());
      }),
    withPassword: (ids) => store.users.withPassword(ids),
    isPassword: async (id, password) => passwords.verify(await store.users.passwordHash(id), password),
  };
}

function isActiveAdmin({ role, disabledAt }: UserRecord): boolean {
  return role === "admin" && disabledAt === null;
}

async function unlessTaken<Result>(write: Promise<Result>): Promise<Result> {
  try {
    return await write;
  } catch (error) {
    throw isTaken(error) ? apiError("email_taken", {}, { cause: error }) : error;
  }
}
