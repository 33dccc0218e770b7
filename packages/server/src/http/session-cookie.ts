import type { IncomingHttpHeaders } from "node:http";

/** The cookie that identifies a session of the dashboard. */
export interface SessionCookie {
  /** The token that a request carries, if any. */
  read(headers: IncomingHttpHeaders): string | undefined;
  /** The header that gives a browser the token. `secure`: it came over https. */
  set(token: string, expiresAt: string, secure: boolean): string;
  /** The headers that take it away again, by either name. */
  clear(): readonly string[];
}

const PLAIN = "parlance_session";
/** Browsers accept a cookie with this prefix only over https and only from this host. */
const HOST_ONLY = `__Host-${PLAIN}`;
const TOKEN = /^[\w-]{1,100}$/;

/**
 * Scripts cannot read it, and other sites cannot make a browser send it. With a public https address only the cookie with
 * the host prefix is read.
 */
export function createSessionCookie(publicUrl: string | undefined): SessionCookie {
  const isSecure = publicUrl?.startsWith("https:") ?? false;
  const names = isSecure ? [HOST_ONLY] : [HOST_ONLY, PLAIN];
  return {
    read({ cookie }) {
      return names
        .map((name) => cookieValue({ cookie }, name))
        .find((token) => token !== undefined && TOKEN.test(token));
    },
    set(token, expiresAt, secure) {
      const expires = new Date(expiresAt).toUTCString();
      const name = secure || isSecure ? HOST_ONLY : PLAIN;
      return `${name}=${token}; Path=/; Expires=${expires}; ${flags(secure || isSecure)}`;
    },
    clear: () => [HOST_ONLY, PLAIN].map((name) => `${name}=; Path=/; Max-Age=0; ${flags(name === HOST_ONLY)}`),
  };
}

/** The value of a cookie that a request carries. */
export function cookieValue({ cookie = "" }: Pick<IncomingHttpHeaders, "cookie">, name: string): string | undefined {
  return new Map(cookie.split(";").map(toPair)).get(name);
}

function flags(secure: boolean): string {
  return `HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`;
}

function toPair(text: string): [string, string] {
  const equals = text.indexOf("=");
  return equals === -1 ? ["", text] : [text.slice(0, equals).trim(), text.slice(equals + 1).trim()];
}
