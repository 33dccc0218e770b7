import {
  type AccountRecord,
  type ApiKeyInfo,
  accountRecord,
  apiKeyRecord,
  type KeyLimits,
  type KeyScope,
  type NewApiKeyInfo,
  newApiKeyRecord,
  type PronunciationRecord,
  pronunciationRecord,
  type SessionInfo,
  type SignInOptions,
  sessionRecord,
  signInOptions,
} from "@parlance/protocol";
import type { CallOptions, Connection } from "../http/connection.ts";

const keyList = apiKeyRecord.array();
const sessionList = sessionRecord.array();
/** For responses without a body. */
const nothing = { parse: (): void => {} };

/** The account of the API key or session. */
export interface Account {
  /**
   * Returns the account.
   *
   * @example
   * ```ts
   * const { email, plan } = await client.account.me();
   * console.log(email, plan);
   * ```
   */
  me(call?: CallOptions): Promise<AccountRecord>;
  /** How words are spoken in all speech of the account. */
  readonly pronunciations: {
    /**
     * Returns the list.
     *
     * @example
     * ```ts
     * const { pronunciations } = await client.account.pronunciations.get();
     * console.log(Object.keys(pronunciations));
     * ```
     */
    get(call?: CallOptions): Promise<PronunciationRecord>;
    /**
     * Replaces the list: a respelling, or phonemes between slashes.
     *
     * @example
     * ```ts
     * await client.account.pronunciations.set({ GIF: "jiff", Nguyen: "/nwˈɪn/" });
     * ```
     */
    set(pronunciations: Readonly<Record<string, string>>, call?: CallOptions): Promise<PronunciationRecord>;
  };
  /**
   * Changes the nickname or the e-mail address. The address needs the current password, if there is one.
   *
   * @example
   * ```ts
   * await client.account.update({ nickname: "Ada" });
   * ```
   */
  update(
    change: { readonly nickname?: string; readonly email?: string; readonly current_password?: string },
    call?: CallOptions,
  ): Promise<AccountRecord>;
  /**
   * Sets a new password and ends all other sessions.
   *
   * @example
   * ```ts
   * await client.account.changePassword({ current_password: "old password", new_password: "new password" });
   * ```
   */
  changePassword(
    change: { readonly new_password: string; readonly current_password?: string },
    call?: CallOptions,
  ): Promise<void>;
  /**
   * Opens a session. The browser keeps it as a cookie.
   *
   * @example
   * ```ts
   * await client.account.signIn({ email: "ada@example.org", password: "correct horse" });
   * ```
   */
  signIn(
    credentials: { readonly email: string; readonly password: string },
    call?: CallOptions,
  ): Promise<AccountRecord>;
  /**
   * Opens a session with a one-time link. The token is the part of the link after the `#`.
   *
   * @example
   * ```ts
   * const link = "http://127.0.0.1:8080/sign-in#the-token";
   * await client.account.signInByLink({ token: new URL(link).hash.slice(1) });
   * ```
   */
  signInByLink(link: { readonly token: string }, call?: CallOptions): Promise<AccountRecord>;
  /**
   * Returns the ways to sign in beside password and link. Needs neither key nor session.
   *
   * @example
   * ```ts
   * const { oidc } = await client.account.signInOptions();
   * console.log(oidc?.name);
   * ```
   */
  signInOptions(call?: CallOptions): Promise<SignInOptions>;
  /**
   * Ends the session.
   *
   * @example
   * ```ts
   * await client.account.signOut();
   * ```
   */
  signOut(call?: CallOptions): Promise<void>;
  readonly sessions: {
    /**
     * Lists the open sessions of the account.
     *
     * @example
     * ```ts
     * for (const { _id, current } of await client.account.sessions.list()) console.log(_id, current);
     * ```
     */
    list(call?: CallOptions): Promise<readonly SessionInfo[]>;
    /**
     * Ends one session.
     *
     * @example
     * ```ts
     * const other = (await client.account.sessions.list()).find(({ current }) => !current);
     * if (other) await client.account.sessions.revoke(other._id);
     * ```
     */
    revoke(id: string, call?: CallOptions): Promise<void>;
  };
  readonly keys: {
    /**
     * Lists the API keys of the account, without their secrets.
     *
     * @example
     * ```ts
     * for (const { name, prefix } of await client.account.keys.list()) console.log(name, prefix);
     * ```
     */
    list(call?: CallOptions): Promise<readonly ApiKeyInfo[]>;
    /**
     * Creates an API key. The secret is only in this response.
     *
     * @example
     * ```ts
     * const { secret } = await client.account.keys.create({
     *   name: "kiosk",
     *   expires_at: "2030-01-31T12:00:00Z",
     *   scopes: ["speak"],
     *   limits: { requests_per_minute: 60, credits_per_day: 20_000 },
     * });
     * console.log(secret);
     * ```
     */
    create(
      key: {
        readonly name: string;
        readonly expires_at?: string;
        readonly scopes?: readonly KeyScope[];
        readonly limits?: KeyLimits;
      },
      call?: CallOptions,
    ): Promise<NewApiKeyInfo>;
    /**
     * Renames an API key.
     *
     * @example
     * ```ts
     * const [key] = await client.account.keys.list();
     * if (key) await client.account.keys.rename(key._id, "old laptop");
     * ```
     */
    rename(id: string, name: string, call?: CallOptions): Promise<ApiKeyInfo>;
    /**
     * Replaces the key's own limits. `null` removes all of them.
     *
     * @example
     * ```ts
     * const [key] = await client.account.keys.list();
     * if (key) await client.account.keys.setLimits(key._id, { concurrency: 2, credits_total: 100_000 });
     * ```
     */
    setLimits(id: string, limits: KeyLimits | null, call?: CallOptions): Promise<ApiKeyInfo>;
    /**
     * Revokes an API key for good.
     *
     * @example
     * ```ts
     * const [key] = await client.account.keys.list();
     * if (key) await client.account.keys.revoke(key._id);
     * ```
     */
    revoke(id: string, call?: CallOptions): Promise<void>;
  };
}

export function createAccount({ json }: Connection): Account {
  const at = (path: string, id: string) => `/account/${path}/${encodeURIComponent(id)}`;
  return {
    pronunciations: {
      get: (call = {}) => json("GET", "/account/pronunciations", pronunciationRecord, call),
      set: (pronunciations, call = {}) =>
        json("PUT", "/account/pronunciations", pronunciationRecord, call, { pronunciations }),
    },
    me: (call = {}) => json("GET", "/account", accountRecord, call),
    update: (change, call = {}) => json("PATCH", "/account", accountRecord, call, change),
    changePassword: (change, call = {}) => json("POST", "/account/password", nothing, call, change),
    signIn: (credentials, call = {}) => json("POST", "/account/sign-in", accountRecord, call, credentials),
    signInByLink: (link, call = {}) => json("POST", "/account/sign-in-link", accountRecord, call, link),
    signInOptions: (call = {}) => json("GET", "/account/sign-in-options", signInOptions, call),
    signOut: (call = {}) => json("POST", "/account/sign-out", nothing, call, {}),
    sessions: {
      list: (call = {}) => json("GET", "/account/sessions", sessionList, call),
      revoke: (id, call = {}) => json("DELETE", at("sessions", id), nothing, call),
    },
    keys: {
      list: (call = {}) => json("GET", "/account/keys", keyList, call),
      create: (key, call = {}) => json("POST", "/account/keys", newApiKeyRecord, call, key),
      rename: (id, name, call = {}) => json("PATCH", at("keys", id), apiKeyRecord, call, { name }),
      setLimits: (id, limits, call = {}) => json("PATCH", at("keys", id), apiKeyRecord, call, { limits }),
      revoke: (id, call = {}) => json("DELETE", at("keys", id), nothing, call),
    },
  };
}
