import { accountChangeBody, apiError, checkEmail, checkName, checkPassword, passwordBody } from "@parlance/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authenticate, callerOf } from "../../http/authenticate.ts";
import type { Identified, Identify } from "../../http/identify.ts";
import { parseBody, parseId, SMALL_BODY } from "../../http/request-input.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import type { Identity } from "../../services/identity/identity.ts";
import { createPasswordProof } from "../../services/identity/password-proof.ts";
import { toAccount, toSession } from "./records.ts";
import { originOf } from "./sign-in.ts";

export interface AccountParts {
  readonly identity: Identity;
  readonly identify: Identify;
  readonly cookie: SessionCookie;
  readonly publicUrl: string | undefined;
}

/** One's own account: GET and PATCH /account, its password, its sessions. */
export function accountRoutes(scope: FastifyInstance, { identity, identify, cookie }: AccountParts): void {
  const { accounts, sessions } = identity;
  const proof = createPasswordProof(identity);
  authenticate(scope, identify);

  const me = async (userId: string) => {
    const user = await accounts.find(userId);
    return toAccount(user, (await accounts.withPassword([userId])).length > 0);
  };
  /** Who changes what he signs in with goes on in a new session: a token that was seen before is worth nothing then. */
  const renew = async ({ userId, session }: Identified, request: FastifyRequest, reply: FastifyReply) => {
    if (session === undefined) return;
    await sessions.end(userId, session.id);
    const { token, record } = await sessions.open(userId, "password", originOf(request));
    reply.header("set-cookie", cookie.set(token, record.expiresAt, request.protocol === "https"));
  };

  scope.get("/account", (request) => me(callerOf(request).userId));
  scope.patch("/account", SMALL_BODY, async (request) => {
    const caller = callerOf(request);
    const { current_password, ...body } = parseBody(accountChangeBody, request);
    const change = {
      nickname: body.nickname === undefined ? undefined : checkName(body.nickname, "nickname"),
      email: body.email === undefined ? undefined : checkEmail(body.email),
    };
    if (change.email !== undefined) await proof.require(caller, current_password, request.ip);
    await accounts.change(caller.userId, change);
    return me(caller.userId);
  });
  scope.post("/account/password", SMALL_BODY, async (request, reply) => {
    const caller = callerOf(request);
    const body = parseBody(passwordBody, request);
    const password = checkPassword(body.new_password, "new_password");
    await proof.require(caller, body.current_password, request.ip);
    await accounts.change(caller.userId, { password }, caller.session?.id);
    await renew(caller, request, reply);
    return reply.code(204).send();
  });

  scope.get("/account/sessions", async (request) => {
    const { userId, session } = callerOf(request);
    return (await sessions.list(userId)).map((each) => toSession(each, session?.id));
  });
  scope.delete("/account/sessions", async (request, reply) => {
    const { userId, session } = callerOf(request);
    for (const each of await sessions.list(userId)) {
      if (each.id !== session?.id) await sessions.end(userId, each.id);
    }
    return reply.code(204).send();
  });
  scope.delete("/account/sessions/:id", async (request, reply) => {
    const ended = await sessions.end(callerOf(request).userId, parseId(request, "unknown_session"));
    if (!ended) throw apiError("unknown_session", {});
    return reply.code(204).send();
  });
}
