import {
  accountRecord,
  adminChangeBody,
  checkEmail,
  checkName,
  checkPassword,
  checkPlan,
  checkRole,
  newAccountBody,
  newAccountRecord,
  pageOf,
  shapeError,
  signInLinkRecord,
  userListQuery,
} from "@parlance/protocol";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { authenticateAdmin } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import { linkBase } from "../../http/link-base.ts";
import { parseBody, parseId, parseQuery, SMALL_BODY } from "../../http/request-input.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { Accounts } from "../../services/identity/accounts.ts";
import { toAccount, toLink } from "../account/records.ts";

export interface AdminUsersParts {
  readonly accounts: Accounts;
  readonly identify: Identify;
  readonly publicUrl: string | undefined;
}

/** All accounts, for admins: /admin/users. */
export function adminUserRoutes(scope: FastifyInstance, { accounts, identify, publicUrl }: AdminUsersParts): void {
  authenticateAdmin(scope, identify);
  const base = (request: FastifyRequest): string => linkBase(publicUrl, request);
  const record = async (id: string) => {
    const user = await accounts.find(id);
    return toAccount(user, (await accounts.withPassword([id])).length > 0);
  };

  scope.get(
    "/admin/users",
    documented({
      id: "listUsers",
      summary: "List the accounts",
      query: userListQuery,
      response: pageOf(accountRecord),
      errors: ["invalid_value"],
    }),
    async (request) => {
      const query = parseQuery(userListQuery, request);
      const size = checkCount(query.page_size, "page_size", 10, 100);
      const offset = (checkCount(query.page_number, "page_number", 1, 1_000_000) - 1) * size;
      const { total, users } = await accounts.list({ search: checkSearch(query.search), offset, limit: size });
      const withPassword = new Set(await accounts.withPassword(users.map((user) => user.id)));
      const items = users.map((user) => toAccount(user, withPassword.has(user.id)));
      return { total, items, has_more: offset + items.length < total };
    },
  );
  scope.post(
    "/admin/users",
    documented(
      {
        id: "createUser",
        summary: "Create an account",
        description: "Without a password, the response holds a one-time sign-in link.",
        body: { name: "NewAccount", schema: newAccountBody },
        response: newAccountRecord,
        status: 201,
        errors: ["email_taken", "public_url_missing", "overloaded"],
      },
      SMALL_BODY,
    ),
    async (request, reply) => {
      const body = parseBody(newAccountBody, request);
      const email = checkEmail(body.email);
      // Before the account is created: without a link nobody could sign in to it.
      const linkTo = body.password === undefined ? base(request) : undefined;
      const user = await accounts.create({
        email,
        nickname: checkName(body.nickname ?? email.split("@", 1)[0] ?? email, "nickname"),
        role: checkRole(body.role ?? "member"),
        plan: checkPlan(body.plan ?? "free"),
        password: body.password === undefined ? undefined : checkPassword(body.password, "password"),
      });
      const link = linkTo === undefined ? null : toLink(await accounts.createLink(user.id), linkTo);
      return reply.code(201).send({ ...toAccount(user, body.password !== undefined), sign_in_link: link });
    },
  );
  scope.get(
    "/admin/users/:id",
    documented({ id: "getUser", summary: "Get an account", response: accountRecord, errors: ["unknown_user"] }),
    (request) => record(parseId(request, "unknown_user")),
  );
  scope.patch(
    "/admin/users/:id",
    documented(
      {
        id: "changeUser",
        summary: "Change an account",
        description:
          "Nickname, e-mail address, role, plan, password, and whether it is disabled. Disabling ends its streams and sockets at once.",
        body: { name: "AdminChange", schema: adminChangeBody },
        response: accountRecord,
        errors: ["unknown_user", "email_taken", "last_admin", "overloaded"],
      },
      SMALL_BODY,
    ),
    async (request) => {
      const id = parseId(request, "unknown_user");
      const body = parseBody(adminChangeBody, request);
      await accounts.change(id, {
        email: body.email === undefined ? undefined : checkEmail(body.email),
        nickname: body.nickname === undefined ? undefined : checkName(body.nickname, "nickname"),
        role: body.role === undefined ? undefined : checkRole(body.role),
        plan: body.plan === undefined ? undefined : checkPlan(body.plan),
        password: body.password === undefined ? undefined : checkPassword(body.password, "password"),
        disabled: body.disabled,
      });
      return record(id);
    },
  );
  scope.post(
    "/admin/users/:id/link",
    documented(
      {
        id: "createSignInLink",
        summary: "Create a one-time sign-in link",
        description: "Valid for a day. It replaces an older link of the same account.",
        response: signInLinkRecord,
        status: 201,
        errors: ["unknown_user", "invalid_value", "public_url_missing"],
      },
      SMALL_BODY,
    ),
    async (request, reply) => {
      const linkTo = base(request);
      const link = await accounts.createLink(parseId(request, "unknown_user"));
      return reply.code(201).send(toLink(link, linkTo));
    },
  );
}

function checkCount(value: string | undefined, field: string, fallback: number, max: number): number {
  if (value === undefined) return fallback;
  const count = /^\d{1,7}$/.test(value) ? Number(value) : 0;
  if (count >= 1 && count <= max) return count;
  throw shapeError([{ loc: [field], type: "value_error", msg: `Expected an integer from 1 to ${max}`, in: "query" }]);
}

function checkSearch(value: string | undefined): string | undefined {
  return value === undefined ? undefined : checkName(value, "search");
}
