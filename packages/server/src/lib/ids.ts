import { randomBytes } from "node:crypto";

/** The id of a record: 32 lower-case hex digits. */
export function newId(): string {
  return randomBytes(16).toString("hex");
}

/** A secret for a cookie, a link or an API key: 43 characters of base64url. */
export function newToken(): string {
  return randomBytes(32).toString("base64url");
}
