import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { cookieValue } from "./session-cookie.ts";

const PLAIN = "parlance_oidc";
const HOST_ONLY = `__Host-${PLAIN}`;
const MAX_AGE_SECONDS = 600;

const value = z.string().min(16).max(200);
const flow = z.object({ state: value, nonce: value, verifier: value });
export type FlowCookie = z.infer<typeof flow>;

/**
 * Binds a sign-in at the provider to the browser that started it. `Lax`, because the provider sends the browser back from
 * another site. A cookie of another user is of no use: its values have to fit what the provider signs.
 */
export const oidcCookie = {
  read(headers: IncomingHttpHeaders): FlowCookie | undefined {
    const text = cookieValue(headers, HOST_ONLY) ?? cookieValue(headers, PLAIN);
    if (text === undefined || text.length > 2000) return undefined;
    try {
      return flow.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
    } catch {
      return undefined;
    }
  },
  set(given: FlowCookie, secure: boolean): string {
    const text = Buffer.from(JSON.stringify(given)).toString("base64url");
    return `${secure ? HOST_ONLY : PLAIN}=${text}; Path=/; Max-Age=${MAX_AGE_SECONDS}; ${flags(secure)}`;
  },
  clear: (secure: boolean): string => `${secure ? HOST_ONLY : PLAIN}=; Path=/; Max-Age=0; ${flags(secure)}`,
};

function flags(secure: boolean): string {
  return `HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}
