import { createHash, timingSafeEqual } from "node:crypto";

/** Whether the header has exactly this key. Compares in constant time. */
export function isBearer(authorization: string | undefined, key: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(given), digest(key));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
