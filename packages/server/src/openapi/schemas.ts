import {
  accountRecord,
  apiCredit,
  apiKeyRecord,
  asrResult,
  grantRecord,
  ledgerPage,
  newAccountRecord,
  newApiKeyRecord,
  packageRecord,
  priceRecord,
  projectPage,
  projectRecord,
  pronunciationRecord,
  sessionRecord,
  signInLinkRecord,
  systemReport,
  timestampEvent,
  traceList,
  traceRecord,
  usageReport,
  voiceModel,
  voicePage,
} from "@parlance/protocol";
import { z } from "zod";
import type { JsonSchema } from "./types.ts";

/** The records that responses hold, by the names that they have in the document. */
const NAMES = new Map<z.ZodType, string>([
  [timestampEvent, "TimestampEvent"],
  [asrResult, "AsrResult"],
  [voiceModel, "Voice"],
  [voicePage, "VoicePage"],
  [accountRecord, "Account"],
  [newAccountRecord, "NewAccount"],
  [apiKeyRecord, "ApiKey"],
  [newApiKeyRecord, "NewApiKey"],
  [sessionRecord, "Session"],
  [signInLinkRecord, "SignInLink"],
  [pronunciationRecord, "PronunciationList"],
  [packageRecord, "Package"],
  [priceRecord, "Prices"],
  [projectRecord, "Project"],
  [projectPage, "ProjectPage"],
  [apiCredit, "ApiCredit"],
  [ledgerPage, "LedgerPage"],
  [grantRecord, "Grant"],
  [usageReport, "UsageReport"],
  [traceList, "TraceList"],
  [traceRecord, "Trace"],
  [systemReport, "SystemReport"],
]);

export function recordSchemas(): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries([...NAMES].map(([schema, name]) => [name, jsonSchema(schema)]));
}

/** A reference where the schema has a name. */
export function schemaOf(schema: z.ZodType): JsonSchema {
  const name = NAMES.get(schema);
  return name === undefined ? jsonSchema(schema) : { $ref: `#/components/schemas/${name}` };
}

export function jsonSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return rest as JsonSchema;
}
