/** The page that takes the token of a one-time link. The token stands in the fragment, which no server and no log sees. */
export const SIGN_IN_PATH = "/sign-in";

export function signInLink(base: string, token: string): string {
  return `${base}${SIGN_IN_PATH}#${token}`;
}
