import { z } from "zod";
import { text, textOrNull, time } from "../wire/record-fields.ts";
import { pageQuery } from "./accounts.ts";

/** What the audit log records. */
export const AUDIT_ACTIONS = [
  "sign-in",
  "sign-in.failed",
  "sign-out",
  "password.changed",
  "account.changed",
  "session.ended",
  "key.created",
  "key.changed",
  "key.revoked",
  "user.created",
  "user.changed",
  "user.link-created",
  "credits.granted",
  "subscription.changed",
  "voice.created",
  "voice.changed",
  "voice.deleted",
  "alias.set",
  "alias.removed",
  "settings.changed",
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

const named = z.object({ _id: textOrNull("Its id, where it has one."), name: text("Its name at that time.") });

/** One entry of the audit log. */
export const auditRecord = z.object({
  _id: text("The id of the entry."),
  at: time("When it was done."),
  action: z.enum(AUDIT_ACTIONS).meta({ description: "What was done." }),
  actor: named.nullable().meta({ description: "Who did it, as they were called then. Null: an unknown account." }),
  key_id: z.string().nullable().meta({ description: "The API key that was used; null: a session, or none." }),
  address: z
    .string()
    .meta({ description: "Where the request came from; empty: the command line or the server itself." }),
  target: named.nullable().meta({ description: "What it was done to." }),
  details: z.record(z.string(), z.unknown()).meta({ description: "The values that were set, without secrets." }),
});
export type AuditRecord = z.infer<typeof auditRecord>;

const timeQuery = (description: string) =>
  z.iso
    .datetime({ offset: true, message: "Expected a time such as 2030-01-31T12:00:00Z" })
    .optional()
    .meta({ description });

export const auditQuery = z.object({
  action: z
    .enum(AUDIT_ACTIONS, { message: `Expected one of ${AUDIT_ACTIONS.join(", ")}` })
    .optional()
    .meta({ description: "Only this action." }),
  search: z.string().max(100).optional().meta({ description: "Part of a name, an id or an address, in any case." }),
  since: timeQuery("Not before this time."),
  until: timeQuery("Before this time."),
  ...pageQuery,
});
export type AuditQuery = Readonly<z.input<typeof auditQuery>>;
