import { type AuditAction, OIDC_CALLBACK_PATH } from "@parlance/protocol";

/** What an entry of the audit log takes from a request and its response. */
export interface AuditedRequest {
  readonly body: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The response in JSON. Empty for others. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** What was called so before it was deleted. */
  readonly name: string | undefined;
}

/** What can be deleted, and has a name that its entry keeps. */
export type Deletable = "key" | "voice";

export interface AuditRule {
  readonly action: AuditAction;
  /** For a response of 401. */
  readonly failed?: AuditAction;
  /** The account that it is done to. */
  readonly user?: (request: AuditedRequest) => unknown;
  /** The id and the name of what it is done to. */
  readonly target?: (request: AuditedRequest) => readonly [id: unknown, name: unknown];
  /** What is deleted, and by which id. Its name is looked up before. */
  readonly deletes?: readonly [what: Deletable, id: "id" | "voice_id"];
  /** Fields of the body that are recorded. Never one that may hold a secret. */
  readonly fields?: readonly string[];
  /** Fields of the body of which only their presence is recorded. */
  readonly hidden?: readonly string[];
  readonly details?: Readonly<Record<string, string>>;
  /** Nothing was done: it is not recorded. */
  readonly unless?: (request: AuditedRequest) => boolean;
}

const KEY = ["name", "expires_at", "scopes", "limits"];
const ACCOUNT = ["email", "nickname", "role", "plan", "disabled"];
const created: AuditRule["target"] = ({ answer }) => [answer._id ?? answer.voice_id, answer.name ?? answer.title];
const changed: AuditRule["target"] = ({ params, answer }) => [params.id, answer.name ?? answer.title];
const deleted: AuditRule["target"] = ({ params, name }) => [params.id ?? params.voice_id, name];
const userOf = ({ params }: AuditedRequest): unknown => params.id ?? params.user_id;

/** By method and route. A request that is not listed, or that fails, is not recorded. */
export const AUDIT_RULES: Readonly<Record<string, AuditRule>> = {
  "POST /account/sign-in": { action: "sign-in", failed: "sign-in.failed", details: { by: "password" } },
  "POST /account/sign-in-link": { action: "sign-in", failed: "sign-in.failed", details: { by: "link" } },
  [`GET ${OIDC_CALLBACK_PATH}`]: { action: "sign-in", details: { by: "oidc" } },
  "POST /account/sign-out": { action: "sign-out" },
  "POST /account/password": { action: "password.changed" },
  "PATCH /account": { action: "account.changed", fields: ["nickname", "email"] },
  "DELETE /account/sessions": { action: "session.ended", details: { sessions: "all others" } },
  "DELETE /account/sessions/:id": { action: "session.ended", target: ({ params }) => [params.id, "session"] },
  "POST /account/keys": { action: "key.created", target: created, fields: KEY },
  "PATCH /account/keys/:id": { action: "key.changed", target: changed, fields: KEY },
  "DELETE /account/keys/:id": { action: "key.revoked", target: deleted, deletes: ["key", "id"] },
  "POST /admin/users": {
    action: "user.created",
    user: ({ answer }) => answer._id,
    fields: ACCOUNT,
    hidden: ["password"],
  },
  "PATCH /admin/users/:id": { action: "user.changed", user: userOf, fields: ACCOUNT, hidden: ["password"] },
  "POST /admin/users/:id/link": { action: "user.link-created", user: userOf },
  "POST /admin/wallet/:user_id/grants": {
    action: "credits.granted",
    user: userOf,
    fields: ["amount", "note"],
    unless: ({ answer }) => answer.created === false,
  },
  "PUT /admin/wallet/:user_id/subscription": { action: "subscription.changed", user: userOf, fields: ["plan"] },
  "PUT /admin/voice-aliases": {
    action: "alias.set",
    target: ({ body }) => [null, body.reference_id],
    fields: ["voice"],
  },
  "DELETE /admin/voice-aliases": { action: "alias.removed", target: ({ query }) => [null, query.reference_id] },
  "POST /model": { action: "voice.created", target: created },
  "PATCH /model/:id": { action: "voice.changed", target: changed },
  "DELETE /model/:id": { action: "voice.deleted", target: deleted, deletes: ["voice", "id"] },
  "POST /v1/voices/add": { action: "voice.created", target: created },
  "DELETE /v1/voices/:voice_id": { action: "voice.deleted", target: deleted, deletes: ["voice", "voice_id"] },
};
