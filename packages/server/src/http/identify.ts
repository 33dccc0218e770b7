import type { IncomingMessage } from "node:http";
import { apiError } from "@parlance/protocol";
import type { Caller, Keys } from "../services/identity/keys.ts";
import type { SessionRecord, Sessions } from "../services/identity/sessions.ts";
import { assertSameOrigin, isSafeMethod } from "./csrf.ts";
import type { SessionCookie } from "./session-cookie.ts";

/** The caller, and the session of the request, if any. */
export type Identified = Caller & { readonly session?: SessionRecord | undefined };

export interface IdentifyParts {
  readonly keys: Keys;
  readonly sessions: Sessions;
  readonly cookie: SessionCookie;
  readonly publicUrl: string | undefined;
}

/** Throws the 401 or 403. May be called again for the same request: keys are revoked and sessions end. */
export type Identify = (request: Pick<IncomingMessage, "headers" | "method">) => Promise<Identified>;

/** By the key of the request, or else by the session of the dashboard. A bad key is not helped by a good session. */
export function createIdentify({ keys, sessions, cookie, publicUrl }: IdentifyParts): Identify {
  return async ({ headers, method }) => {
    if (headers.authorization !== undefined) return keys.authenticate(headers.authorization);
    const token = cookie.read(headers);
    if (token === undefined) throw apiError("missing_api_key", {});
    // Browsers let a page of any origin open a socket with the cookies of this server.
    if (!isSafeMethod(method) || headers.upgrade !== undefined) assertSameOrigin(headers, publicUrl);
    return sessions.authenticate(token);
  };
}
