import { SIGN_IN_PATH } from "@parlance/protocol";

/** The token of a one-time link, which follows the # in the address, or "". */
export function signInToken(): string {
  return window.location.pathname === SIGN_IN_PATH ? window.location.hash.slice(1) : "";
}

/** Removes the used token from the address and the history, and opens a page. */
export function clearSignInToken(nextPage: string): void {
  window.history.replaceState(null, "", `/#/${nextPage}`);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}
