import {
  type AccountRecord,
  type AuditQuery,
  type AuditRecord,
  accountRecord,
  auditRecord,
  type GrantInput,
  type GrantRecord,
  grantRecord,
  type NewAccountRecord,
  newAccountRecord,
  type PackageRecord,
  type PageOf,
  packageRecord,
  pageOf,
  type SignInLinkInfo,
  type SubscriptionInput,
  type SystemReport,
  signInLinkRecord,
  systemReport,
  type VoiceAliasRecord,
  voiceAliasList,
} from "@parlance/protocol";
import type { CallOptions, Connection } from "../http/connection.ts";

export interface UserQuery {
  readonly search?: string | undefined;
  readonly page_size?: number | undefined;
  readonly page_number?: number | undefined;
}

export interface NewUser {
  readonly email: string;
  readonly nickname?: string;
  readonly role?: string;
  readonly plan?: string;
  /** Without a password, the response has a one-time sign-in link. */
  readonly password?: string;
}

export interface UserChange extends Partial<NewUser> {
  /** `true` ends all sessions and running requests of the account, and refuses new ones. */
  readonly disabled?: boolean;
}

/** Requests that need the role `admin`. */
export interface Admin {
  readonly users: {
    /**
     * Lists accounts, by page.
     *
     * @example
     * ```ts
     * const { total, items } = await client.admin.users.list({ search: "example.org" });
     * console.log(total, items.map(({ email }) => email));
     * ```
     */
    list(query?: UserQuery, call?: CallOptions): Promise<PageOf<AccountRecord>>;
    /**
     * Creates an account.
     *
     * @example
     * ```ts
     * const { sign_in_link } = await client.admin.users.create({ email: "ada@example.org", plan: "pro" });
     * console.log(sign_in_link?.url);
     * ```
     */
    create(user: NewUser, call?: CallOptions): Promise<NewAccountRecord>;
    /**
     * Changes an account.
     *
     * @example
     * ```ts
     * const { items } = await client.admin.users.list({ search: "ada@example.org" });
     * if (items[0]) await client.admin.users.update(items[0]._id, { disabled: true });
     * ```
     */
    update(id: string, change: UserChange, call?: CallOptions): Promise<AccountRecord>;
    /**
     * Creates a one-time link that signs in as this user.
     *
     * @example
     * ```ts
     * const { url, expires_at } = await client.admin.users.link("5d1e0f0c9b8a47d6b1c2d3e4f5a60718");
     * console.log(url, expires_at);
     * ```
     */
    link(id: string, call?: CallOptions): Promise<SignInLinkInfo>;
  };
  /**
   * Grants extra credits, or takes them back with a negative amount. Calls with the same
   * `idempotency_key` make one grant.
   *
   * @example
   * ```ts
   * await client.admin.grant("5d1e0f0c9b8a47d6b1c2d3e4f5a60718", { amount: 50_000, note: "conference", idempotency_key: "conf-2026" });
   * ```
   */
  grant(userId: string, grant: GrantInput, call?: CallOptions): Promise<GrantRecord>;
  /**
   * Stores what a payment provider reports about an account. Fields that are left out become null.
   *
   * @example
   * ```ts
   * await client.admin.setSubscription("5d1e0f0c9b8a47d6b1c2d3e4f5a60718", {
   *   plan: "pro",
   *   provider_subscription_id: "sub_1",
   * });
   * ```
   */
  setSubscription(userId: string, subscription: SubscriptionInput, call?: CallOptions): Promise<PackageRecord>;
  /** Voice ids of other servers, and the voices that speak for them. Each call returns the whole table. */
  readonly voiceAliases: {
    /**
     * @example
     * ```ts
     * for (const { reference_id, voice } of await client.admin.voiceAliases.list()) console.log(reference_id, voice);
     * ```
     */
    list(call?: CallOptions): Promise<readonly VoiceAliasRecord[]>;
    /**
     * Adds or changes one. The id `*` is every other unknown id.
     *
     * @example
     * ```ts
     * await client.admin.voiceAliases.put("933563129e564b19a115bedd57b7406a", "clara");
     * ```
     */
    put(referenceId: string, voice: string, call?: CallOptions): Promise<readonly VoiceAliasRecord[]>;
    /**
     * @example
     * ```ts
     * await client.admin.voiceAliases.remove("933563129e564b19a115bedd57b7406a");
     * ```
     */
    remove(referenceId: string, call?: CallOptions): Promise<readonly VoiceAliasRecord[]>;
  };
  /**
   * Lists the audit log by page, newest first.
   *
   * @example
   * ```ts
   * const { items } = await client.admin.audit({ action: "sign-in.failed", since: "2026-01-01T00:00:00Z" });
   * for (const { at, actor, address } of items) console.log(at, actor?.name, address);
   * ```
   */
  audit(query?: AuditQuery, call?: CallOptions): Promise<PageOf<AuditRecord>>;
  /**
   * Returns version, memory, engines and settings of the server.
   *
   * @example
   * ```ts
   * const { engines, draining } = await client.admin.system();
   * console.log(engines, draining);
   * ```
   */
  system(call?: CallOptions): Promise<SystemReport>;
}

const auditPage = pageOf(auditRecord);
const userPage = pageOf(accountRecord);

export function createAdmin({ json }: Connection): Admin {
  const aliasesAt = "/admin/voice-aliases";
  const userAt = (id: string) => `/admin/users/${encodeURIComponent(id)}`;
  return {
    users: {
      list: (query = {}, call = {}) => json("GET", `/admin/users${queryOf(query)}`, userPage, call),
      create: (user, call = {}) => json("POST", "/admin/users", newAccountRecord, call, user),
      update: (id, change, call = {}) => json("PATCH", userAt(id), accountRecord, call, change),
      link: (id, call = {}) => json("POST", `${userAt(id)}/link`, signInLinkRecord, call, {}),
    },
    grant: (userId, grant, call = {}) =>
      json("POST", `/admin/wallet/${encodeURIComponent(userId)}/grants`, grantRecord, call, grant),
    setSubscription: (userId, subscription, call = {}) =>
      json("PUT", `/admin/wallet/${encodeURIComponent(userId)}/subscription`, packageRecord, call, subscription),
    voiceAliases: {
      list: async (call = {}) => (await json("GET", aliasesAt, voiceAliasList, call)).items,
      put: async (referenceId, voice, call = {}) =>
        (await json("PUT", aliasesAt, voiceAliasList, call, { reference_id: referenceId, voice })).items,
      remove: async (referenceId, call = {}) =>
        (await json("DELETE", aliasesAt + queryOf({ reference_id: referenceId }), voiceAliasList, call)).items,
    },
    audit: (query = {}, call = {}) => json("GET", `/admin/audit${queryOf(query)}`, auditPage, call),
    system: (call = {}) => json("GET", "/admin/system", systemReport, call),
  };
}

/** `?a=1&b=2` of the values that are set, or an empty string. */
export function queryOf(values: object): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return given.length === 0 ? "" : `?${query}`;
}
