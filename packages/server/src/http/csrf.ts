import type { IncomingHttpHeaders } from "node:http";
import { apiError } from "@parlance/protocol";

/**
 * A browser sends the session's cookie along whichever page makes it send a request. So a request that relies on the
 * cookie has to come from a page of this server: browsers say so in headers that no page can set. `SameSite` and the
 * JSON content type stand in the way too; this is the check that does not depend on either.
 */
export function assertSameOrigin(headers: IncomingHttpHeaders, publicUrl: string | undefined): void {
  if (!isSameOrigin(headers, publicUrl)) throw apiError("cross_site", {});
}

/** Signing in needs no cookie, so a program without an origin may; a page of another origin may not. */
export function assertNotCrossSite(headers: IncomingHttpHeaders, publicUrl: string | undefined): void {
  if (headers["sec-fetch-site"] === undefined && headers.origin === undefined) return;
  assertSameOrigin(headers, publicUrl);
}

export function isSafeMethod(method: string | undefined): boolean {
  return method === "GET" || method === "HEAD" || method === "OPTIONS";
}

function isSameOrigin(headers: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  // Browsers leave it out over plain http to another machine. The origin decides then.
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin";
  const { origin, host } = headers;
  if (origin === undefined) return false;
  if (publicUrl !== undefined && origin === publicUrl) return true;
  try {
    return host !== undefined && new URL(origin).host === host.toLowerCase();
  } catch {
    return false;
  }
}
