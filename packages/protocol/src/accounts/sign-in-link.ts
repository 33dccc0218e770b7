/** The page of one-time sign-in links. The token is in the fragment, which is not sent to servers or written to logs. */
export const SIGN_IN_PATH = "/sign-in";

/** Where a browser starts the sign-in with a provider, and where the provider sends it back to. */
export const OIDC_START_PATH = "/account/sign-in/oidc";
export const OIDC_CALLBACK_PATH = "/account/sign-in/oidc/callback";

export function signInLink(base: string, token: string): string {
  return `${base}${SIGN_IN_PATH}#${token}`;
}
