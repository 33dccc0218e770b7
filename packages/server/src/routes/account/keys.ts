import {
  apiError,
  apiKeyChangeBody,
  apiKeyRecord,
  checkExpiry,
  checkName,
  describeValue,
  KEY_SCOPES,
  type KeyScope,
  newApiKeyBody,
  newApiKeyRecord,
  parseScopes,
} from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { authenticate, callerOf } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import { parseBody, parseId, SMALL_BODY } from "../../http/request-input.ts";
import { documented } from "../../openapi/route-docs.ts";
import type { Keys } from "../../services/identity/keys.ts";
import { toKey } from "./records.ts";

/** The API keys of the caller: /account/keys. */
export function accountKeyRoutes(
  scope: FastifyInstance,
  { keys, identify }: { readonly keys: Keys; readonly identify: Identify },
): void {
  authenticate(scope, identify);

  scope.get(
    "/account/keys",
    documented({ id: "listKeys", summary: "List the API keys", response: [apiKeyRecord] }),
    async (request) => (await keys.list(callerOf(request).userId)).map(toKey),
  );
  scope.post(
    "/account/keys",
    documented(
      {
        id: "createKey",
        summary: "Create an API key",
        description:
          "The response holds the secret. It is not shown again. A key with scopes makes keys with the same or fewer of them.",
        body: { name: "NewApiKey", schema: newApiKeyBody },
        response: newApiKeyRecord,
        status: 201,
        errors: ["too_many_keys", "scope_missing"],
      },
      SMALL_BODY,
    ),
    async (request, reply) => {
      const caller = callerOf(request);
      const { name, expires_at, scopes: given } = parseBody(newApiKeyBody, request);
      const scopes = given === undefined ? caller.scopes : checkScopes(given, caller.scopes);
      const expiry = expires_at === undefined ? undefined : checkExpiry(expires_at, Date.now());
      const { record, secret } = await keys.create(caller.userId, checkName(name, "name"), expiry, scopes);
      return reply.code(201).send({ ...toKey(record), secret });
    },
  );
  scope.patch(
    "/account/keys/:id",
    documented(
      {
        id: "renameKey",
        summary: "Rename an API key",
        body: { name: "ApiKeyChange", schema: apiKeyChangeBody },
        response: apiKeyRecord,
        errors: ["unknown_key", "forbidden"],
      },
      SMALL_BODY,
    ),
    async (request) => {
      const id = parseId(request, "unknown_key");
      const { name } = parseBody(apiKeyChangeBody, request);
      return toKey(await keys.rename(callerOf(request).userId, id, checkName(name, "name")));
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
