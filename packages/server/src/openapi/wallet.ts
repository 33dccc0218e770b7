import {
  apiCredit,
  type ErrorCode,
  grantBody,
  grantRecord,
  ledgerPage,
  packageRecord,
  subscriptionBody,
} from "@parlance/protocol";
import type { z } from "zod";
import { errorResponses, KEY_ERRORS } from "./errors.ts";
import type { OpenApiDocument, Operation, Parameter } from "./types.ts";

export const WALLET_SCHEMAS = {
  Package: packageRecord,
  ApiCredit: apiCredit,
  LedgerPage: ledgerPage,
  GrantBody: grantBody,
  Grant: grantRecord,
  SubscriptionBody: subscriptionBody,
} satisfies Record<string, z.ZodType>;

type SchemaName = keyof typeof WALLET_SCHEMAS;

export const WALLET_TAGS: OpenApiDocument["tags"] = [
  { name: "Wallet", description: "Credits: what there is, what it was spent on, and how it is topped up." },
];

const userId: Parameter = {
  name: "user_id",
  in: "path",
  required: true,
  description: "A user's id, or `self`. Another's is for admins.",
  schema: { type: "string", default: "self" },
};
const page: readonly Parameter[] = [
  {
    name: "before",
    in: "query",
    required: false,
    description: "The `id` of an entry: only those before it.",
    schema: { type: "integer", minimum: 1 },
  },
  {
    name: "limit",
    in: "query",
    required: false,
    description: "How many entries.",
    schema: { type: "integer", minimum: 1, maximum: 200, default: 50 },
  },
];

export const WALLET_PATHS: OpenApiDocument["paths"] = {
  "/wallet/{user_id}/package": {
    get: operation("getPackage", "What an account can spend, and until when", "Package", {
      description:
        "One credit is one UTF-8 byte of spoken text, unless the operator has set other prices. `/wallet/package` is the same as `self`.",
    }),
  },
  "/wallet/{user_id}/api-credit": {
    get: operation("getApiCredit", "All credits that can be spent, as older clients ask for them", "ApiCredit"),
  },
  "/wallet/{user_id}/ledger": {
    get: operation("getLedger", "Every movement of credits, the newest first", "LedgerPage", { parameters: page }),
  },
  "/admin/wallet/{user_id}/grants": {
    post: operation("grantCredits", "Give extra credits, or take them back", "Grant", {
      description: "With an `idempotency_key` it may be repeated: the second answer is 200 and shows the first grant.",
      body: "GrantBody",
      status: 201,
      errors: ["invalid_value", "admin_only"],
    }),
  },
  "/admin/wallet/{user_id}/subscription": {
    put: operation("setSubscription", "What a payment provider says about an account", "Package", {
      description:
        "For the program that hears from the provider. All fields are replaced: what is left out or null is not known. Only `plan` has an effect: a new one fills the package at once.",
      body: "SubscriptionBody",
      errors: ["invalid_value", "admin_only"],
    }),
  },
};

interface More {
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: SchemaName;
  readonly status?: number;
  readonly errors?: readonly ErrorCode[];
}

function operation(operationId: string, summary: string, answer: SchemaName, more: More = {}): Operation {
  const { description, parameters = [], body, status = 200, errors = [] } = more;
  return {
    operationId,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: ["Wallet"],
    security: [{ bearer: [] }, { session: [] }],
    parameters: [userId, ...parameters],
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(body) } }),
    responses: {
      [status]: { description: "The record.", content: json(answer) },
      ...errorResponses([...KEY_ERRORS, "forbidden", "unknown_user", "invalid_request", "internal", ...errors]),
    },
  };
}

function json(name: SchemaName) {
  return { "application/json": { schema: { $ref: `#/components/schemas/${name}` } } };
}
