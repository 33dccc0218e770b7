import { accountRecord, signInBody, signInLinkBody } from "@parlance/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { assertNotCrossSite, assertSameOrigin } from "../../http/csrf.ts";
import { parseBody, SMALL_BODY } from "../../http/request-input.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { Identity } from "../../services/identity/identity.ts";
import type { OpenSession } from "../../services/identity/sessions.ts";
import { type OidcRouteParts, oidcRoutes } from "./oidc.ts";
import { originOf } from "./origin.ts";
import { toAccount } from "./records.ts";

export interface SignInRouteParts {
  readonly identity: Identity;
  readonly cookie: SessionCookie;
  readonly publicUrl: string | undefined;
  readonly oidc: Omit<OidcRouteParts, "admit" | "publicUrl">;
}

/** POST /account/sign-in, …/sign-in-link and …/sign-out. They need neither key nor session. */
export function signInRoutes(scope: FastifyInstance, { identity, cookie, publicUrl, oidc }: SignInRouteParts): void {
  const { signIn, sessions, accounts } = identity;

  /** Ends the session of the request, if it has one. */
  const endOld = async (request: FastifyRequest): Promise<void> => {
    const token = cookie.read(request.headers);
    if (token === undefined) return;
    const old = await sessions.authenticate(token).catch(() => undefined);
    if (old === undefined) return;
    request.facts.userId = old.userId;
    await sessions.end(old.userId, old.session.id);
  };
  /** Always a new token, so that a token planted in the browser never becomes a session. */
  const admit = async (opened: OpenSession, request: FastifyRequest, reply: FastifyReply) => {
    await endOld(request);
    request.facts.userId = opened.record.userId;
    const set = cookie.set(opened.token, opened.record.expiresAt, request.protocol === "https");
    reply.header("set-cookie", set);
    const user = await accounts.find(opened.record.userId);
    return toAccount(user, (await accounts.withPassword([user.id])).length > 0);
  };

  oidcRoutes(scope, { ...oidc, publicUrl, admit });
  scope.post(
    "/account/sign-in",
    documented(
      {
        id: "signIn",
        summary: "Sign in with a password",
        description: "Sets the session cookie. Failed attempts are slowed down by account and by address.",
        isPublic: true,
        body: { name: "SignIn", schema: signInBody },
        response: accountRecord,
        errors: ["wrong_credentials", "account_disabled", "cross_site", "too_many_attempts", "overloaded"],
      },
      SMALL_BODY,
    ),
    async (request, reply) => {
      assertNotCrossSite(request.headers, publicUrl);
      const { email, password } = parseBody(signInBody, request);
      return admit(await signIn.withPassword(email, password, originOf(request)), request, reply);
    },
  );
  scope.post(
    "/account/sign-in-link",
    documented(
      {
        id: "signInByLink",
        summary: "Sign in with a one-time link",
        description: "Sets the session cookie. The link cannot be used again.",
        isPublic: true,
        body: { name: "SignInByLink", schema: signInLinkBody },
        response: accountRecord,
        errors: ["invalid_link", "account_disabled", "cross_site"],
      },
      SMALL_BODY,
    ),
    async (request, reply) => {
      assertNotCrossSite(request.headers, publicUrl);
      const { token } = parseBody(signInLinkBody, request);
      return admit(await signIn.withLink(token, originOf(request)), request, reply);
    },
  );
  scope.post(
    "/account/sign-out",
    documented({ id: "signOut", summary: "End the session", isPublic: true, errors: ["cross_site"] }, SMALL_BODY),
    async (request, reply) => {
      if (cookie.read(request.headers) !== undefined) assertSameOrigin(request.headers, publicUrl);
      await endOld(request);
      return reply
        .code(204)
        .header("set-cookie", [...cookie.clear()])
        .send();
    },
  );
}
