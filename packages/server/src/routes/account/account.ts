import {
  accountChangeBody,
  accountRecord,
  apiError,
  checkEmail,
  checkName,
  checkPassword,
  passwordBody,
  sessionRecord,
} from "@parlance/protocol";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { authenticate, callerOf } from "../../http/authenticate.ts";
import type { Identified, Identify } from "../../http/identify.ts";
import { parseBody, parseId, SMALL_BODY } from "../../http/request-input.ts";
import type { SessionCookie } from "../../http/session-cookie.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { Identity } from "../../services/identity/identity.ts";
import { createPasswordProof } from "../../services/identity/password-proof.ts";
import { originOf } from "./origin.ts";
import { toAccount, toSession } from "./records.ts";

export interface AccountParts {
  readonly identity: Identity;
  readonly identify: Identify;
  readonly cookie: SessionCookie;
  readonly publicUrl: string | undefined;
}

const PASSWORD_ERRORS = ["email_taken", "too_many_attempts", "overloaded"] as const;

/** The account of the caller: /account, its password and its sessions. */
export function accountRoutes(scope: FastifyInstance, { identity, identify, cookie }: AccountParts): void {
  const { accounts, sessions } = identity;
  const proof = createPasswordProof(identity);
  authenticate(scope, identify);

  const me = async (userId: string) => {
    const user = await accounts.find(userId);
    return toAccount(user, (await accounts.withPassword([userId])).length > 0);
  };
  /** After a new password the session gets a new token, so that an old one that leaked is of no use. */
  const renew = async ({ userId, session }: Identified, request: FastifyRequest, reply: FastifyReply) => {
    if (session === undefined) return;
    await sessions.end(userId, session.id);
    const { token, record } = await sessions.open(userId, "password", originOf(request));
    reply.header("set-cookie", cookie.set(token, record.expiresAt, request.protocol === "https"));
  };

  scope.get(
    "/account",
    documented({ id: "getAccount", summary: "Get the account", response: accountRecord }),
    (request) => me(callerOf(request).userId),
  );
  scope.patch(
    "/account",
    documented(
      {
        id: "changeAccount",
        summary: "Change the nickname or the e-mail address",
        body: { name: "AccountChange", schema: accountChangeBody },
        response: accountRecord,
        errors: PASSWORD_ERRORS,
      },
      SMALL_BODY,
    ),
    async (request) => {
      const caller = callerOf(request);
      const { current_password, ...body } = parseBody(accountChangeBody, request);
      const change = {
        nickname: body.nickname === undefined ? undefined : checkName(body.nickname, "nickname"),
        email: body.email === undefined ? undefined : checkEmail(body.email),
      };
      if (change.email !== undefined) await proof.require(caller, current_password, request.ip);
      await accounts.change(caller.userId, change);
      return me(caller.userId);
    },
  );
  scope.post(
    "/account/password",
    documented(
      {
        id: "changePassword",
        summary: "Change the password",
        description: "Ends all other sessions. This one continues with a new cookie.",
        body: { name: "PasswordChange", schema: passwordBody },
        errors: PASSWORD_ERRORS,
      },
      SMALL_BODY,
    ),
    async (request, reply) => {
      const caller = callerOf(request);
      const body = parseBody(passwordBody, request);
      const password = checkPassword(body.new_password, "new_password");
      await proof.require(caller, body.current_password, request.ip);
      await accounts.change(caller.userId, { password }, caller.session?.id);
      await renew(caller, request, reply);
      return reply.code(204).send();
    },
  );

  scope.get(
    "/account/sessions",
    documented({ id: "listSessions", summary: "List the sessions", response: [sessionRecord] }),
    async (request) => {
      const { userId, session } = callerOf(request);
      return (await sessions.list(userId)).map((each) => toSession(each, session?.id));
    },
  );
  scope.delete(
    "/account/sessions",
    documented({ id: "endOtherSessions", summary: "End all other sessions" }),
    async (request, reply) => {
      const { userId, session } = callerOf(request);
      for (const each of await sessions.list(userId)) {
        if (each.id !== session?.id) await sessions.end(userId, each.id);
      }
      return reply.code(204).send();
    },
  );
  scope.delete(
    "/account/sessions/:id",
    documented({ id: "endSession", summary: "End a session", errors: ["unknown_session"] }),
    async (request, reply) => {
      const ended = await sessions.end(callerOf(request).userId, parseId(request, "unknown_session"));
      if (!ended) throw apiError("unknown_session", {});
      return reply.code(204).send();
    },
  );
}
