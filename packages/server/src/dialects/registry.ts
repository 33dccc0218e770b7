import { type ApiError, errorBody } from "@parlance/protocol";
import { deepgram } from "./deepgram/deepgram.ts";
import type { Dialect, RequestTarget } from "./dialect.ts";
import { elevenlabs } from "./elevenlabs/elevenlabs.ts";
import { errorBodyIn } from "./error-body.ts";
import { fish } from "./fish/fish.ts";
import { openai } from "./openai/openai.ts";

/** Every dialect over HTTP. */
export const DIALECTS: readonly Dialect[] = [fish, openai, elevenlabs, deepgram];

/** Undefined on paths without a dialect, such as those of accounts. */
export function dialectOf({ url, headers }: RequestTarget): Dialect | undefined {
  const path = url.split("?", 1)[0] ?? "";
  const isBelow = (prefix: string): boolean => path === prefix || path.startsWith(`${prefix}/`);
  return (
    DIALECTS.find(({ shared }) => shared && headers[shared.keyHeader] !== undefined && shared.paths.some(isBelow)) ??
    DIALECTS.find(({ paths }) => paths.some(isBelow))
  );
}

/** The value of `dialect` in metrics, logs and traces. The tools of `/mcp` send native requests, which count besides. */
export function dialectNameOf(target: RequestTarget): string | undefined {
  return dialectOf(target)?.name ?? (/^\/mcp(?:\?|$)/.test(target.url) ? "mcp" : undefined);
}

/** The path of the route that serves a request: paths that two dialects share are decided by the key header. */
export function routePath({ url, headers }: RequestTarget): string {
  const dialect = dialectOf({ url, headers });
  const isShared = dialect?.shared?.paths.some((path) => url === path || url.startsWith(`${path}?`)) === true;
  return isShared ? `${dialect?.shared?.prefix}${url}` : url;
}

/** The body of an error in the dialect of the request; the native one elsewhere. */
export function errorBodyFor(error: ApiError, target: RequestTarget): unknown {
  const dialect = dialectOf(target);
  return dialect === undefined ? errorBody(error) : errorBodyIn(dialect, error, target.id);
}
