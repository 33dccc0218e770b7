import { apiError } from "@parlance/protocol";
import type { FastifyRequest } from "fastify";

const LOOPBACK = /^(localhost|([a-z0-9-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * The address in a sign-in link. A client chooses the `Host` header, and a link to another host would give the token away.
 * Without a public address it is therefore used only where it names this machine.
 */
export function linkBase(publicUrl: string | undefined, request: Pick<FastifyRequest, "protocol" | "host">): string {
  if (publicUrl !== undefined) return publicUrl;
  const name = request.host.replace(/:\d+$/, "");
  if (!LOOPBACK.test(name)) throw apiError("public_url_missing", {});
  return `${request.protocol}://${request.host}`;
}
