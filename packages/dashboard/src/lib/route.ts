/**
 * The route in the address, after the `#`. Browsers do not send that part, so secrets of sign-in links never reach a
 * server or its logs.
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
