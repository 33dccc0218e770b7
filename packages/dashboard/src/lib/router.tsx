import { type AnchorHTMLAttributes, useSyncExternalStore } from "react";

/**
 * The address after the `#`: the server sends one page whatever is looked at, and what stands there never reaches it,
 * nor its logs. That matters for sign-in links.
 */
export interface Route {
  /** The first part: "voices" of "#/voices/abc?q=x". */
  readonly page: string;
  /** The part after it, or "". */
  readonly item: string;
  readonly query: URLSearchParams;
}

export function parseRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?", 2);
  const [page = "", item = ""] = path.split("/", 2).map(decode);
  return { page, item, query: new URLSearchParams(query) };
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return "";
  }
}

function subscribe(onChange: () => void): () => void {
  window.addEventListener("hashchange", onChange);
  return () => window.removeEventListener("hashchange", onChange);
}

export function useRoute(): Route {
  return parseRoute(useSyncExternalStore(subscribe, () => window.location.hash));
}

export function go(to: string): void {
  window.location.hash = `#/${to}`;
}

/** Changes the address without a step in the history: for filters, and for secrets that should not stay in it. */
export function replaceRoute(to: string): void {
  window.history.replaceState(null, "", `#/${to}`);
  window.dispatchEvent(new HashChangeEvent("hashchange"));
}

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, "href"> {
  readonly to: string;
}

export function Link({ to, ...rest }: LinkProps) {
  return <a href={`#/${to}`} {...rest} />;
}
