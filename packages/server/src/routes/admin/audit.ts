import { type AuditRecord, auditQuery, auditRecord, pageOf } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { authenticateAdmin } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import { parseQuery } from "../../http/request-input.ts";
import { isoTime } from "../../lib/time.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { Audit, AuditEntry } from "../../services/audit/audit.ts";

/** Who did what when, for admins: /admin/audit. */
export function adminAuditRoutes(app: FastifyInstance, parts: { audit: Audit; identify: Identify }): void {
  app.register(async (scope) => {
    authenticateAdmin(scope, parts.identify);
    scope.get(
      "/admin/audit",
      documented({
        id: "listAudit",
        summary: "List the audit log",
        description: "Newest first: sign-ins and failed ones, keys, accounts, credits, voices, aliases and settings.",
        query: auditQuery,
        response: pageOf(auditRecord),
      }),
      async (request) => {
        const { page_size: pageSize = 20, page_number: pageNumber = 1, ...query } = parseQuery(auditQuery, request);
        const [since, until] = [timeOf(query.since), timeOf(query.until)];
        const { total, entries } = await parts.audit.list({ ...query, since, until, pageSize, pageNumber });
        return { total, items: entries.map(toRecord), has_more: pageNumber * pageSize < total };
      },
    );
  });
}

/** As times are stored: in UTC, with milliseconds. */
function timeOf(value: string | undefined): string | undefined {
  return value === undefined ? undefined : isoTime(Date.parse(value));
}

function toRecord({ id, at, action, actor, keyId, address, target, details }: AuditEntry): AuditRecord {
  const named = (who: AuditEntry["actor"]) => (who === null ? null : { _id: who.id, name: who.name });
  return {
    _id: id,
    at,
    action,
    actor: named(actor),
    key_id: keyId,
    address,
    target: named(target),
    details: { ...details },
  };
}
