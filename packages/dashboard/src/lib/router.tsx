import { type AnchorHTMLAttributes, useSyncExternalStore } from "react";
import { parseRoute, type Route } from "./route.ts";

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

/** Changes the address without an entry in the history: for filters, and to remove secrets. */
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
