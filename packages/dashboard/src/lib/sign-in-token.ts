import { SIGN_IN_PATH } from "@parlance/protocol";

/** The token of a one-time link, which stands behind the #, or "". */
export function signInToken(): string {
  return window.location.pathname === SIGN_IN_PATH ? window.location.hash.slice(1) : "";
}

/** It is used up, and nobody's business. */
export function forgetSignInToken(): void {
  window.history.replaceState(null, "", "/#/speak");
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}
