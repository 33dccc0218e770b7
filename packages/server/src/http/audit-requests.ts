import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Audit, AuditEvent } from "../services/audit/audit.ts";
import { AUDIT_RULES, type AuditedRequest, type AuditRule, type Deletable } from "./audit-rules.ts";

const MAX_CHARACTERS = 300;
/** A larger answer is a list, which no entry takes anything from. */
const MAX_ANSWER = 64 * 1024;
const ID = /^[0-9a-f]{32}$/;

export interface AuditParts {
  readonly audit: Audit;
  /** The id of the account with this e-mail address. */
  readonly findByEmail: (email: string) => Promise<string | undefined>;
  readonly findName: (what: Deletable, id: string) => Promise<string | undefined>;
}

/** Records requests by `AUDIT_RULES`, before their response is sent: a client that has it finds the entry. */
export function auditRequests(http: FastifyInstance, { audit, findByEmail, findName }: AuditParts): void {
  const names = new WeakMap<FastifyRequest, string>();
  http.addHook("preHandler", async (request) => {
    const [what, parameter] = ruleOf(request)?.deletes ?? [];
    if (what === undefined || parameter === undefined) return;
    const id = toObject(request.params)[parameter];
    if (typeof id !== "string" || !ID.test(id)) return;
    // Without the name the entry is still worth writing.
    const name = await findName(what, id).catch(() => undefined);
    if (name !== undefined) names.set(request, name);
  });
  http.addHook("onSend", async (request, reply, payload) => {
    const rule = ruleOf(request);
    if (rule === undefined) return;
    const isDone = reply.statusCode < 400;
    const action = isDone ? rule.action : reply.statusCode === 401 ? rule.failed : undefined;
    if (action === undefined) return;
    const { ip: address, facts } = request;
    const parts = partsOf(request, payload, names.get(request));
    const keyId = request.identified?.keyId ?? facts.keyId;
    if (isDone) {
      // Without an account nothing was done, as by a sign-out without a session.
      if (facts.userId === undefined || rule.unless?.(parts)) return;
      const actor = { userId: facts.userId };
      const done = { action, actor, keyId, address, target: targetOf(rule, parts), details: detailsOf(rule, parts) };
      await audit.record(done);
      return;
    }
    // An unknown address is not recorded: it may be a password in the wrong field.
    const { email } = parts.body;
    const userId = typeof email === "string" ? await findByEmail(email).catch(() => undefined) : undefined;
    const reason = String(reply.getHeader("x-error-code") ?? "");
    const details = { ...rule.details, reason };
    await audit.record({ action, actor: userId === undefined ? undefined : { userId }, address, details });
  });
}

const ruleOf = (request: FastifyRequest): AuditRule | undefined =>
  AUDIT_RULES[`${request.method} ${request.routeOptions.url}`];

function partsOf(request: FastifyRequest, payload: unknown, name: string | undefined): AuditedRequest {
  return {
    body: toObject(request.body),
    params: toObject(request.params),
    query: toObject(request.query),
    name,
    answer: typeof payload === "string" && payload.length <= MAX_ANSWER ? parse(payload) : {},
  };
}

function targetOf(rule: AuditRule, parts: AuditedRequest): AuditEvent["target"] {
  const userId = rule.user?.(parts);
  if (typeof userId === "string") return { userId: short(userId) };
  const target = rule.target?.(parts);
  if (target === undefined) return undefined;
  const [id, name] = target;
  return { id: typeof id === "string" ? short(id) : null, name: typeof name === "string" ? short(name) : "" };
}

function detailsOf({ fields = [], hidden = [], details = {} }: AuditRule, { body }: AuditedRequest) {
  const given = (name: string): boolean => body[name] !== undefined && body[name] !== "";
  return {
    ...details,
    ...Object.fromEntries(fields.filter(given).map((name) => [name, shortened(body[name])])),
    ...Object.fromEntries(hidden.filter(given).map((name) => [name, "changed"])),
  };
}

/** Texts are cut; what is longer as JSON is left out. */
function shortened(value: unknown): unknown {
  if (typeof value === "string") return short(value);
  return JSON.stringify(value).length <= MAX_CHARACTERS ? value : "…";
}

function short(text: string): string {
  return text.slice(0, MAX_CHARACTERS);
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return toObject(JSON.parse(text));
  } catch {
    return {};
  }
}

function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}
