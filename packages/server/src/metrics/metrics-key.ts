import { createHash, timingSafeEqual } from "node:crypto";

/** Whether a header carries exactly this key. Takes equally long however much of it is right. */
export function isBearer(authorization: string | undefined, key: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(authorization ?? "")?.[1] ?? "";
  return timingSafeEqual(digest(given), digest(key));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
