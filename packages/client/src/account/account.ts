import {
  type AccountRecord,
  type ApiKeyInfo,
  accountRecord,
  apiKeyRecord,
  type NewApiKeyInfo,
  newApiKeyRecord,
  type SessionInfo,
  sessionRecord,
} from "@parlance/protocol";
import type { CallOptions, Connection } from "../http/connection.ts";

const keyList = apiKeyRecord.array();
const sessionList = sessionRecord.array();
/** For answers without a body. */
const nothing = { parse: (): void => {} };

/** The caller's own account. */
export interface Account {
  me(call?: CallOptions): Promise<AccountRecord>;
  update(
    change: { readonly nickname?: string; readonly email?: string; readonly current_password?: string },
    call?: CallOptions,
  ): Promise<AccountRecord>;
  /** Ends all other sessions. */
  changePassword(
    change: { readonly new_password: string; readonly current_password?: string },
    call?: CallOptions,
  ): Promise<void>;
  /** Opens a session, which the browser keeps as a cookie. */
  signIn(
    credentials: { readonly email: string; readonly password: string },
    call?: CallOptions,
  ): Promise<AccountRecord>;
  /** The token is what follows the # in a one-time link. */
  signInByLink(link: { readonly token: string }, call?: CallOptions): Promise<AccountRecord>;
  signOut(call?: CallOptions): Promise<void>;
  readonly sessions: {
    list(call?: CallOptions): Promise<readonly SessionInfo[]>;
    revoke(id: string, call?: CallOptions): Promise<void>;
  };
  readonly keys: {
    list(call?: CallOptions): Promise<readonly ApiKeyInfo[]>;
    /** The secret is in this answer and nowhere else. */
    create(key: { readonly name: string; readonly expires_at?: string }, call?: CallOptions): Promise<NewApiKeyInfo>;
    rename(id: string, name: string, call?: CallOptions): Promise<ApiKeyInfo>;
    revoke(id: string, call?: CallOptions): Promise<void>;
  };
}

export function createAccount({ json }: Connection): Account {
  const at = (path: string, id: string) => `/account/${path}/${encodeURIComponent(id)}`;
  return {
    me: (call = {}) => json("GET", "/account", accountRecord, call),
    update: (change, call = {}) => json("PATCH", "/account", accountRecord, call, change),
    changePassword: (change, call = {}) => json("POST", "/account/password", nothing, call, change),
    signIn: (credentials, call = {}) => json("POST", "/account/sign-in", accountRecord, call, credentials),
    signInByLink: (link, call = {}) => json("POST", "/account/sign-in-link", accountRecord, call, link),
    signOut: (call = {}) => json("POST", "/account/sign-out", nothing, call, {}),
    sessions: {
      list: (call = {}) => json("GET", "/account/sessions", sessionList, call),
      revoke: (id, call = {}) => json("DELETE", at("sessions", id), nothing, call),
    },
    keys: {
      list: (call = {}) => json("GET", "/account/keys", keyList, call),
      create: (key, call = {}) => json("POST", "/account/keys", newApiKeyRecord, call, key),
      rename: (id, name, call = {}) => json("PATCH", at("keys", id), apiKeyRecord, call, { name }),
      revoke: (id, call = {}) => json("DELETE", at("keys", id), nothing, call),
    },
  };
}
