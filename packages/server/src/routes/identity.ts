import type { FastifyInstance } from "fastify";
import type { Identify } from "../http/identify.ts";
import type { SessionCookie } from "../http/session-cookie.ts";
import type { Identity } from "../services/identity/identity.ts";
import type { Pronunciations } from "../services/speech/pronunciations.ts";
import { accountRoutes } from "./account/account.ts";
import { accountKeyRoutes } from "./account/keys.ts";
import { accountPronunciationRoutes } from "./account/pronunciations.ts";
import { type SignInRouteParts, signInRoutes } from "./account/sign-in.ts";
import { adminUserRoutes } from "./admin/users.ts";

export interface IdentityRouteParts {
  readonly identity: Identity;
  readonly identify: Identify;
  readonly cookie: SessionCookie;
  readonly publicUrl: string | undefined;
  readonly pronunciations: Pronunciations;
  readonly oidc: SignInRouteParts["oidc"];
}

/** Everything under /account and /admin/users. Each scope has hooks of its own. */
export function identityRoutes(app: FastifyInstance, parts: IdentityRouteParts): void {
  const { identity, identify, publicUrl } = parts;
  app.register(async (scope) => signInRoutes(scope, parts));
  app.register(async (scope) => accountRoutes(scope, parts));
  app.register(async (scope) => accountKeyRoutes(scope, { keys: identity.keys, identify }));
  app.register(async (scope) => accountPronunciationRoutes(scope, parts));
  app.register(async (scope) => adminUserRoutes(scope, { accounts: identity.accounts, identify, publicUrl }));
}
