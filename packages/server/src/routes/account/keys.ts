import {
  apiError,
  apiKeyChangeBody,
  apiKeyRecord,
  checkExpiry,
  checkKeyLimits,
  checkName,
  describeValue,
  KEY_SCOPES,
  type KeyScope,
  newApiKeyBody,
  newApiKeyRecord,
  parseScopes,
  parseShape,
} from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { authenticate, callerOf } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import { parseBody, parseId, SMALL_BODY } from "../../http/request-input.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { ApiKeyRecord, Caller, Keys } from "../../services/identity/keys.ts";
import { toKey } from "./records.ts";

/** The API keys of the caller: /account/keys. */
export function accountKeyRoutes(
  scope: FastifyInstance,
  { keys, identify }: { readonly keys: Keys; readonly identify: Identify },
): void {
  authenticate(scope, identify);
  const withSpending = async (records: readonly ApiKeyRecord[]) => {
    const spent = await keys.spent(records.map(({ id }) => id));
    return records.map((record, index) => toKey(record, spent[index] ?? NOTHING_SPENT));
  };

  scope.get(
    "/account/keys",
    documented({ id: "listKeys", summary: "List the API keys", response: [apiKeyRecord] }),
    async (request) => withSpending(await keys.list(callerOf(request).userId)),
  );
  scope.post(
    "/account/keys",
    documented(
      {
        id: "createKey",
        summary: "Create an API key",
        description:
          "The response holds the secret. It is not shown again. A key with scopes makes keys with the same or fewer of them, a key with limits makes none.",
        body: { name: "NewApiKey", schema: newApiKeyBody },
        response: newApiKeyRecord,
        status: 201,
        errors: ["too_many_keys", "scope_missing", "key_limited"],
      },
      SMALL_BODY,
    ),
    async (request, reply) => {
      const caller = callerOf(request);
      assertNotLimited(caller);
      const { name, expires_at, scopes: given, ...body } = parseBody(newApiKeyBody, request);
      const limits = body.limits && checkKeyLimits(body.limits);
      const scopes = given === undefined ? caller.scopes : checkScopes(given, caller.scopes);
      const expiry = expires_at === undefined ? undefined : checkExpiry(expires_at, Date.now());
      const { record, secret } = await keys.create(caller.userId, checkName(name, "name"), expiry, scopes, limits);
      return reply.code(201).send({ ...toKey(record, NOTHING_SPENT), secret });
    },
  );
  scope.patch(
    "/account/keys/:id",
    documented(
      {
        id: "changeKey",
        summary: "Rename an API key, or change its limits",
        body: { name: "ApiKeyChange", schema: apiKeyChangeBody },
        response: apiKeyRecord,
        errors: ["unknown_key", "forbidden", "key_limited"],
      },
      SMALL_BODY,
    ),
    async (request) => {
      const id = parseId(request, "unknown_key");
      const caller = callerOf(request);
      // Null is a value here: it removes the limits.
      const body = parseShape(apiKeyChangeBody, request.body ?? {}, "body");
      const name = body.name === undefined ? undefined : checkName(body.name, "name");
      const limits = checkKeyLimits(body.limits ?? {});
      if (body.limits !== undefined) assertNotLimited(caller);
      const changed = await keys.change(caller.userId, id, { name, ...(body.limits === undefined ? {} : { limits }) });
      const [answer] = await withSpending([changed]);
      return answer;
    },
  );
  scope.delete(
    "/account/keys/:id",
    documented({ id: "revokeKey", summary: "Revoke an API key", errors: ["unknown_key", "forbidden"] }),
    async (request, reply) => {
      await keys.revokeOwn(callerOf(request).userId, parseId(request, "unknown_key"));
      return reply.code(204).send();
    },
  );
}

const NOTHING_SPENT = { day: 0, month: 0, total: 0 };

/** Otherwise a key could get around its limits. */
function assertNotLimited({ limits }: Pick<Caller, "limits">): void {
  if (limits !== undefined) throw apiError("key_limited", {});
}

/** A key cannot make one that may do more. */
function checkScopes(given: readonly string[], own: readonly KeyScope[] | undefined): readonly KeyScope[] {
  const scopes = parseScopes(given);
  if (scopes === undefined) {
    throw apiError("invalid_value", {
      field: "scopes",
      value: describeValue(given.join(" ")),
      allowed: `use one or more of ${KEY_SCOPES.join(", ")}`,
    });
  }
  const missing = own && scopes.find((scope) => !own.includes(scope));
  if (missing !== undefined) throw apiError("scope_missing", { scope: missing });
  return scopes;
}
