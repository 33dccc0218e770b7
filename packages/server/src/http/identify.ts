import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { apiError } from "@parlance/protocol";
import type { Caller, Keys } from "../services/identity/keys.ts";
import type { SessionRecord, Sessions } from "../services/identity/sessions.ts";
import { assertSameOrigin, isSafeMethod } from "./csrf.ts";
import { assertScope } from "./key-scopes.ts";
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
export type Identify = (request: Pick<IncomingMessage, "headers" | "method" | "url">) => Promise<Identified>;

/** By the key of the request, or else by the session of the dashboard. A bad key is not helped by a good session. */
export function createIdentify({ keys, sessions, cookie, publicUrl }: IdentifyParts): Identify {
  return async (request) => {
    const { headers, method } = request;
    const authorization = headers.authorization ?? keyHeader(headers);
    if (authorization !== undefined) {
      const caller = await keys.authenticate(authorization);
      assertScope(caller.scopes, request);
      return caller;
    }
    const token = cookie.read(headers);
    if (token === undefined) throw apiError("missing_api_key", {});
    // Browsers let a page of any origin open a socket with the cookies of this server.
    if (!isSafeMethod(method) || headers.upgrade !== undefined) assertSameOrigin(headers, publicUrl);
    return sessions.authenticate(token);
  };
}

/** The key where clients of ElevenLabs send it, as an `Authorization` header. */
function keyHeader(headers: IncomingHttpHeaders): string | undefined {
  const key = headers["xi-api-key"];
  return typeof key === "string" ? `Bearer ${key}` : undefined;
}
