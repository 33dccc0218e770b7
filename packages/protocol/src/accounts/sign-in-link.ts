/** The page of one-time sign-in links. The token is in the fragment, which is not sent to servers or written to logs. */
export const SIGN_IN_PATH = "/sign-in";

export function signInLink(base: string, token: string): string {
  return `${base}${SIGN_IN_PATH}#${token}`;
}
