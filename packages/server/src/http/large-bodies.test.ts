import assert from "node:assert/strict";
import { it } from "node:test";
import { fastify } from "fastify";
import { until } from "../testing/until.ts";
import { authenticate } from "./authenticate.ts";
import { handleErrors } from "./errors.ts";
import { limitLargeBodies } from "./large-bodies.ts";

it("an account has six requests with large bodies at once, and a hundred that wait", {
  timeout: 60_000,
}, async (context) => {
  const app = fastify();
  context.after(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  const running: { readonly account: string; readonly release: () => void }[] = [];
  app.decorateRequest("facts");
  app.addHook("onRequest", async (request) => void Object.assign(request, { facts: {} }));
  handleErrors(app, ({ status, message }) => ({ status, message }));
  app.register(async (scope) => {
    authenticate(scope, async ({ headers }) => ({
      userId: String(headers.account),
      keyId: "k",
      role: "member",
      plan: "free",
    }));
    limitLargeBodies(scope);
    scope.get(
      "/",
      ({ headers }) =>
        new Promise((resolve) => {
          running.push({ account: String(headers.account), release: () => resolve("x") });
        }),
    );
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const get = (account: string, signal: AbortSignal | null = null) => fetch(url, { headers: { account }, signal });
  const of = (account: string) => running.filter((each) => each.account === account);

  const leaving = new AbortController();
  const left = Array.from({ length: 6 }, () => get("a", leaving.signal).catch(() => undefined));
  await until(() => of("a").length === 6);
  // As many that leave while they wait as there may be at once: they keep no place.
  left.push(...Array.from({ length: 6 }, () => get("a", leaving.signal).catch(() => undefined)));
  const waiting = Array.from({ length: 94 }, async () => (await get("a")).status);
  await until(async () => (await openConnections()) >= 106);
  assert.equal((await get("a")).status, 429);
  const other = get("b");
  await until(() => of("b").length === 1);
  assert.equal(of("a").length, 6);
  leaving.abort();
  await Promise.all(left);
  const releasing = setInterval(() => {
    for (const { release } of running.splice(0)) release();
  }, 5);
  context.after(() => clearInterval(releasing));
  assert.deepEqual(new Set(await Promise.all(waiting)), new Set([200]));
  assert.equal((await other).status, 200);

  function openConnections(): Promise<number> {
    return new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)));
  }
});
