import { ApiError, type ErrorCode, OIDC_CALLBACK_PATH, OIDC_START_PATH, signInOptions } from "@parlance/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { linkBase } from "../../http/link-base.ts";
import { oidcCookie } from "../../http/oidc-cookie.ts";
import { documented, UNDOCUMENTED } from "../../openapi/route-docs.ts";
import type { Audit } from "../../services/audit/audit.ts";
import type { OidcSignIn } from "../../services/identity/oidc-sign-in.ts";
import type { OpenSession } from "../../services/identity/sessions.ts";
import { type LogFor, logEvent } from "../../telemetry/log-events.ts";
import { originOf } from "./origin.ts";

export interface OidcRouteParts {
  /** Undefined: there is no provider. */
  readonly oidc: OidcSignIn | undefined;
  readonly providerName: string;
  readonly publicUrl: string | undefined;
  readonly audit: Audit;
  readonly log: LogFor<"oidc.failed">;
  /** Gives the browser the session. */
  readonly admit: (opened: OpenSession, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
}

/** The ways to sign in, and the sign-in with a provider. */
export function oidcRoutes(scope: FastifyInstance, parts: OidcRouteParts): void {
  const { oidc, providerName, publicUrl, audit, log, admit } = parts;
  scope.get(
    "/account/sign-in-options",
    documented({ id: "signInOptions", summary: "Get the ways to sign in", isPublic: true, response: signInOptions }),
    async () => ({ oidc: oidc === undefined ? null : { name: providerName, path: OIDC_START_PATH } }),
  );
  if (oidc === undefined) return;
  const isSecure = (request: FastifyRequest): boolean =>
    request.protocol === "https" || (publicUrl?.startsWith("https:") ?? false);
  /** The page says why, by the code alone: no text of the provider reaches it. */
  const fail = async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const code: ErrorCode = error instanceof ApiError ? error.code : "oidc_failed";
    if (!(error instanceof ApiError)) logEvent(log, "oidc.failed", { reason: reasonOf(error) });
    const details = { by: "oidc", reason: code };
    await audit.record({ action: "sign-in.failed", address: request.ip, details });
    return reply.redirect(`/#/sign-in-failed/${code}`, 302);
  };

  scope.get(OIDC_START_PATH, UNDOCUMENTED, async (request, reply) => {
    try {
      const { url, flow } = await oidc.start(linkBase(publicUrl, request) + OIDC_CALLBACK_PATH);
      return reply.header("set-cookie", oidcCookie.set(flow, isSecure(request))).redirect(url, 302);
    } catch (error) {
      return fail(error, request, reply);
    }
  });
  scope.get(OIDC_CALLBACK_PATH, UNDOCUMENTED, async (request, reply) => {
    reply.header("set-cookie", oidcCookie.clear(isSecure(request)));
    try {
      const flow = oidcCookie.read(request.headers);
      if (flow === undefined) throw new Error("the cookie of the sign-in is missing");
      const query = request.url.includes("?") ? request.url.slice(request.url.indexOf("?")) : "";
      const callback = new URL(linkBase(publicUrl, request) + OIDC_CALLBACK_PATH + query);
      await admit(await oidc.finish(callback, flow, originOf(request)), request, reply);
      return reply.redirect("/", 302);
    } catch (error) {
      return fail(error, request, reply);
    }
  });
}

/** Errors of the provider may quote what was sent, so only their kind is logged. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const { code, error: kind } = error as { readonly code?: unknown; readonly error?: unknown };
  return [error.name, code, kind]
    .filter((each) => typeof each === "string")
    .join(" ")
    .slice(0, 200);
}
