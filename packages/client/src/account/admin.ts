import {
  type AccountRecord,
  accountRecord,
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
} from "@parlance/protocol";
import type { CallOptions, Connection } from "../http/connection.ts";

export interface UserQuery {
  readonly search?: string;
  readonly page_size?: number;
  readonly page_number?: number;
}

export interface NewUser {
  readonly email: string;
  readonly nickname?: string;
  readonly role?: string;
  readonly plan?: string;
  /** Left out: the answer holds a one-time sign-in link. */
  readonly password?: string;
}

export interface UserChange extends Partial<NewUser> {
  /** True cuts all that the account does, at once. */
  readonly disabled?: boolean;
}

/** What admins may do. */
export interface Admin {
  readonly users: {
    list(query?: UserQuery, call?: CallOptions): Promise<PageOf<AccountRecord>>;
    create(user: NewUser, call?: CallOptions): Promise<NewAccountRecord>;
    update(id: string, change: UserChange, call?: CallOptions): Promise<AccountRecord>;
    /** A one-time link that signs in as this user. */
    link(id: string, call?: CallOptions): Promise<SignInLinkInfo>;
  };
  /** Gives extra credits, or takes them back. With a key, a repeated call is still one grant. */
  grant(userId: string, grant: GrantInput, call?: CallOptions): Promise<GrantRecord>;
  /** Tells what a payment provider says about an account. What is left out is not known any more. */
  setSubscription(userId: string, said: SubscriptionInput, call?: CallOptions): Promise<PackageRecord>;
  /** How the server is doing. */
  system(call?: CallOptions): Promise<SystemReport>;
}

const userPage = pageOf(accountRecord);

export function createAdmin({ json }: Connection): Admin {
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
    setSubscription: (userId, said, call = {}) =>
      json("PUT", `/admin/wallet/${encodeURIComponent(userId)}/subscription`, packageRecord, call, said),
    system: (call = {}) => json("GET", "/admin/system", systemReport, call),
  };
}

/** "?a=1&b=2" of what is given, or "". */
export function queryOf(values: object): string {
  const given = Object.entries(values).filter(([, value]) => value !== undefined && value !== "");
  const query = new URLSearchParams(given.map(([name, value]): [string, string] => [name, String(value)]));
  return given.length === 0 ? "" : `?${query}`;
}
