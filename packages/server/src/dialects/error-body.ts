import type { ApiError } from "@parlance/protocol";
import type { Dialect } from "./dialect.ts";

/** Messages about a field start with its name. */
const FIELD_PREFIX = /^([a-z][\w.]*): /;

/** The body of an error in a dialect, with the dialect's names of fields. */
export function errorBodyIn(
  { fieldNames, errorBody }: Pick<Dialect, "fieldNames" | "errorBody">,
  error: ApiError,
  requestId?: string,
): unknown {
  const rename = (name: string): string => (Object.hasOwn(fieldNames, name) ? (fieldNames[name] ?? name) : name);
  const issues = error.issues.map((issue) => {
    const name = issue.loc.join(".");
    return rename(name) === name ? issue : { ...issue, loc: [rename(name)] };
  });
  const named = FIELD_PREFIX.exec(error.message)?.[1];
  const field = issues[0]?.loc.join(".") ?? (named === undefined ? undefined : rename(named));
  const message =
    issues.length > 0
      ? issues.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ")
      : error.message.replace(FIELD_PREFIX, (_match, name: string) => `${rename(name)}: `);
  return errorBody({ status: error.status, code: error.code, message, field, issues, requestId });
}
