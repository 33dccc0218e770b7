import type { Configuration } from "openid-client";

/** What the provider says about a person, from a verified ID token. */
export interface OidcPerson {
  readonly issuer: string;
  readonly subject: string;
  /** Undefined unless the provider has verified it. */
  readonly email: string | undefined;
  readonly name: string | undefined;
}

/** What the browser keeps between the start and the end of a sign-in. */
export interface OidcFlow {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcProvider {
  start(redirectUri: string): Promise<{ readonly url: string; readonly flow: OidcFlow }>;
  /** `callback` is the address that the provider sent the browser to. Throws unless everything fits together. */
  finish(callback: URL, flow: OidcFlow): Promise<OidcPerson>;
}

export interface OidcClientSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
}

const SCOPE = "openid email profile";
/** For one request to the provider. */
const TIMEOUT_SECONDS = 10;

/** Authorization code flow with PKCE, by `openid-client`, which is loaded at the first use. */
export function createOidcProvider({ issuer, clientId, clientSecret }: OidcClientSettings): OidcProvider {
  let found: Promise<Configuration> | undefined;
  const discover = async (): Promise<Configuration> => {
    const client = await import("openid-client");
    const execute = issuer.startsWith("http:") ? [client.allowInsecureRequests] : [];
    return client.discovery(
      new URL(issuer),
      clientId,
      clientSecret,
      clientSecret === undefined ? client.None() : undefined,
      {
        timeout: TIMEOUT_SECONDS,
        execute,
      },
    );
  };
  /** One discovery for all; the next sign-in tries again after a failure. */
  const configuration = (): Promise<Configuration> => {
    found ??= discover().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
  return {
    async start(redirectUri) {
      const client = await import("openid-client");
      const config = await configuration();
      const flow = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: SCOPE,
        state: flow.state,
        nonce: flow.nonce,
        code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: "S256",
      });
      return { url: url.href, flow };
    },
    async finish(callback, { state, nonce, verifier }) {
      const client = await import("openid-client");
      const config = await configuration();
      const tokens = await client.authorizationCodeGrant(config, callback, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error("the provider sent no ID token");
      // Some providers have the e-mail address only here.
      const more =
        claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
          ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
          : {};
      const all: Readonly<Record<string, unknown>> = { ...claims, ...more };
      const { email, email_verified: isVerified, name } = all;
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: isVerified === true && typeof email === "string" ? email : undefined,
        name: typeof name === "string" ? name : undefined,
      };
    },
  };
}
