import {
  accountChangeBody,
  accountRecord,
  adminChangeBody,
  apiKeyChangeBody,
  apiKeyRecord,
  type ErrorCode,
  newAccountBody,
  newAccountRecord,
  newApiKeyBody,
  newApiKeyRecord,
  pageOf,
  passwordBody,
  sessionRecord,
  signInBody,
  signInLinkBody,
  signInLinkRecord,
  userListQuery,
} from "@parlance/protocol";
import type { z } from "zod";
import { errorResponses, KEY_ERRORS } from "./errors.ts";
import type { JsonSchema, OpenApiDocument, Operation, Parameter } from "./types.ts";

export const ACCOUNT_SCHEMAS = {
  Account: accountRecord,
  AccountPage: pageOf(accountRecord),
  NewAccount: newAccountRecord,
  ApiKey: apiKeyRecord,
  NewApiKey: newApiKeyRecord,
  Session: sessionRecord,
  SignInLink: signInLinkRecord,
  SignInBody: signInBody,
  SignInLinkBody: signInLinkBody,
  AccountChange: accountChangeBody,
  PasswordChange: passwordBody,
  ApiKeyBody: newApiKeyBody,
  ApiKeyChange: apiKeyChangeBody,
  NewAccountBody: newAccountBody,
  AdminChange: adminChangeBody,
} satisfies Record<string, z.ZodType>;

type SchemaName = keyof typeof ACCOUNT_SCHEMAS;

export const ACCOUNT_TAGS: OpenApiDocument["tags"] = [
  { name: "Account", description: "One's own account, with a key or with the dashboard's session." },
  { name: "Administration", description: "The accounts of others, for admins." },
];

interface Description {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly body?: SchemaName;
  /** What the answer holds; left out: 204. */
  readonly answer?: SchemaName | readonly [SchemaName];
  readonly status?: number;
  readonly parameters?: readonly Parameter[];
  readonly errors?: readonly ErrorCode[];
}

const IDENTITY: readonly ErrorCode[] = [...KEY_ERRORS, "invalid_session", "cross_site"];
const BODY: readonly ErrorCode[] = ["invalid_value", "invalid_request", "payload_too_large", "unsupported_media_type"];
const PROOF: readonly ErrorCode[] = ["email_taken", "too_many_attempts", "overloaded"];

const reference = (name: SchemaName): JsonSchema => ({ $ref: `#/components/schemas/${name}` });

function operation(tag: string, errors: readonly ErrorCode[], each: Description): Operation {
  const { answer, body } = each;
  const schema: JsonSchema | undefined =
    typeof answer === "string" ? reference(answer) : answer && { type: "array", items: reference(answer[0]) };
  const success =
    schema === undefined
      ? { 204: { description: "Done." } }
      : { [each.status ?? 200]: { description: "Done.", content: { "application/json": { schema } } } };
  const codes = [...errors, ...(body === undefined ? [] : BODY), ...(each.errors ?? []), "internal" as const];
  return {
    operationId: each.id,
    summary: each.summary,
    ...(each.description === undefined ? {} : { description: each.description }),
    tags: [tag],
    ...(errors.length === 0 ? {} : { security: [{ bearer: [] }, { session: [] }] }),
    ...(each.parameters === undefined ? {} : { parameters: each.parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { "application/json": { schema: reference(body) } } } }),
    responses: { ...success, ...errorResponses(codes) },
  };
}

const open = (each: Description): Operation => operation("Account", [], each);
const own = (each: Description): Operation => operation("Account", IDENTITY, each);
const admin = (each: Description): Operation => operation("Administration", [...IDENTITY, "admin_only"], each);

const id: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "32 hex digits.",
  schema: { type: "string" },
};
const listParameters: readonly Parameter[] = Object.entries(userListQuery.shape).map(([name, field]) => ({
  name,
  in: "query",
  required: false,
  description: field.meta()?.description ?? "",
  schema: { type: name === "search" ? "string" : "integer" },
}));

export const ACCOUNT_PATHS: OpenApiDocument["paths"] = {
  "/account/sign-in": {
    post: open({
      id: "signIn",
      summary: "Sign in with a password",
      description: "Sets the session's cookie. Attempts that fail are slowed down, by account and by address.",
      body: "SignInBody",
      answer: "Account",
      errors: ["wrong_credentials", "account_disabled", "cross_site", "too_many_attempts", "overloaded"],
    }),
  },
  "/account/sign-in-link": {
    post: open({
      id: "signInByLink",
      summary: "Sign in with a one-time link",
      description: "Sets the session's cookie and uses the link up.",
      body: "SignInLinkBody",
      answer: "Account",
      errors: ["invalid_link", "account_disabled", "cross_site"],
    }),
  },
  "/account/sign-out": {
    post: open({ id: "signOut", summary: "End the session", errors: ["cross_site"] }),
  },
  "/account": {
    get: own({ id: "getAccount", summary: "One's own account", answer: "Account" }),
    patch: own({
      id: "changeAccount",
      summary: "Change name or address",
      body: "AccountChange",
      answer: "Account",
      errors: PROOF,
    }),
  },
  "/account/password": {
    post: own({
      id: "changePassword",
      summary: "Change the password",
      description: "Ends all other sessions; this one goes on with a new cookie.",
      body: "PasswordChange",
      errors: PROOF,
    }),
  },
  "/account/sessions": {
    get: own({ id: "listSessions", summary: "Where one is signed in", answer: ["Session"] }),
    delete: own({ id: "endOtherSessions", summary: "Sign out everywhere else" }),
  },
  "/account/sessions/{id}": {
    delete: own({ id: "endSession", summary: "End one session", parameters: [id], errors: ["unknown_session"] }),
  },
  "/account/keys": {
    get: own({ id: "listKeys", summary: "One's API keys", answer: ["ApiKey"] }),
    post: own({
      id: "createKey",
      summary: "Make an API key",
      description: "The answer holds the secret, this once.",
      body: "ApiKeyBody",
      answer: "NewApiKey",
      status: 201,
      errors: ["too_many_keys"],
    }),
  },
  "/account/keys/{id}": {
    patch: own({
      id: "renameKey",
      summary: "Rename an API key",
      parameters: [id],
      body: "ApiKeyChange",
      answer: "ApiKey",
      errors: ["unknown_key", "forbidden"],
    }),
    delete: own({
      id: "revokeKey",
      summary: "Revoke an API key",
      parameters: [id],
      errors: ["unknown_key", "forbidden"],
    }),
  },
  "/admin/users": {
    get: admin({
      id: "listUsers",
      summary: "The accounts, in pages",
      parameters: listParameters,
      answer: "AccountPage",
      errors: ["invalid_request", "invalid_value"],
    }),
    post: admin({
      id: "createUser",
      summary: "Make an account",
      description: "With a password, or else with a one-time sign-in link in the answer.",
      body: "NewAccountBody",
      answer: "NewAccount",
      status: 201,
      errors: ["email_taken", "overloaded"],
    }),
  },
  "/admin/users/{id}": {
    get: admin({ id: "getUser", summary: "An account", parameters: [id], answer: "Account", errors: ["unknown_user"] }),
    patch: admin({
      id: "changeUser",
      summary: "Change an account",
      description:
        "Name, address, role, plan, password, and whether it is disabled. Disabling cuts its streams and sockets at once.",
      parameters: [id],
      body: "AdminChange",
      answer: "Account",
      errors: ["unknown_user", "email_taken", "last_admin", "overloaded"],
    }),
  },
  "/admin/users/{id}/link": {
    post: admin({
      id: "createSignInLink",
      summary: "Make a one-time sign-in link",
      description: "Good for a day. An older one of the same account stops working.",
      parameters: [id],
      answer: "SignInLink",
      status: 201,
      errors: ["unknown_user", "invalid_value"],
    }),
  },
};
