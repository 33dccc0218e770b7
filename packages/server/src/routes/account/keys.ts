import { apiKeyChangeBody, checkExpiry, checkName, newApiKeyBody } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { authenticate, callerOf } from "../../http/authenticate.ts";
import type { Identify } from "../../http/identify.ts";
import { parseBody, parseId, SMALL_BODY } from "../../http/request-input.ts";
import type { Keys } from "../../services/identity/keys.ts";
import { toKey } from "./records.ts";

/** One's own API keys: /account/keys. */
export function accountKeyRoutes(
  scope: FastifyInstance,
  { keys, identify }: { readonly keys: Keys; readonly identify: Identify },
): void {
  authenticate(scope, identify);

  scope.get("/account/keys", async (request) => (await keys.list(callerOf(request).userId)).map(toKey));
  scope.post("/account/keys", SMALL_BODY, async (request, reply) => {
    const { name, expires_at } = parseBody(newApiKeyBody, request);
    const expiry = expires_at === undefined ? undefined : checkExpiry(expires_at, Date.now());
    const { record, secret } = await keys.create(callerOf(request).userId, checkName(name, "name"), expiry);
    return reply.code(201).send({ ...toKey(record), secret });
  });
  scope.patch("/account/keys/:id", SMALL_BODY, async (request) => {
    const id = parseId(request, "unknown_key");
    const { name } = parseBody(apiKeyChangeBody, request);
    return toKey(await keys.rename(callerOf(request).userId, id, checkName(name, "name")));
  });
  scope.delete("/account/keys/:id", async (request, reply) => {
    await keys.revokeOwn(callerOf(request).userId, parseId(request, "unknown_key"));
    return reply.code(204).send();
  });
}
