import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";

/** The user who signs in at the provider, without a prompt. */
export interface TestPerson {
  readonly sub: string;
  readonly email: string;
  readonly verified: boolean;
}

/** A real OpenID Connect provider on a free port of this machine. */
export interface TestOidcProvider {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Who signs in next. */
  person: TestPerson;
  /** Where browsers are sent back to. Called once, before the first sign-in. */
  register(redirectUri: string): void;
  close(): Promise<void>;
}

const CLIENT = { clientId: "parlance-test", clientSecret: "test-client-secret" };

export async function startOidcProvider(person: TestPerson): Promise<TestOidcProvider> {
  let handle: (request: IncomingMessage, response: ServerResponse) => unknown = (_request, response) => response.end();
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started: TestOidcProvider = {
    issuer,
    ...CLIENT,
    person,
    register(redirectUri) {
      const provider = createProvider(issuer, redirectUri, () => started.person);
      const callback = provider.callback();
      handle = (request, response) =>
        request.url?.startsWith("/interaction/")
          ? finishInteraction(provider, started.person.sub, request, response)
          : callback(request, response);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return started;
}

function createProvider(issuer: string, redirectUri: string, person: () => TestPerson): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.clientId,
        client_secret: CLIENT.clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: "client_secret_post",
      },
    ],
    cookies: { keys: ["test"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    findAccount: async (_context, accountId) => ({
      accountId,
      claims: async () => ({
        sub: accountId,
        email: person().email,
        email_verified: person().verified,
        name: "Ada L.",
      }),
    }),
  });
}

async function finishInteraction(
  provider: Provider,
  accountId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const grant = new provider.Grant({ accountId, clientId: CLIENT.clientId });
  grant.addOIDCScope("openid email profile");
  const grantId = await grant.save();
  await provider.interactionFinished(request, response, { login: { accountId }, consent: { grantId } });
}
