import { randomBytes } from "node:crypto";
import type { Records } from "../../stores/store.ts";
import { hashKey, isoTime } from "./keys.ts";

export interface FreshLink {
  /** For the address of the link. Only its hash is stored. */
  readonly token: string;
  readonly expiresAt: string;
}

const VALID_MS = 24 * 60 * 60_000;

/** A link that signs its bearer in, once. An older one of the same account stops working. */
export async function createSignInLink(
  { signInLinks }: Pick<Records, "signInLinks">,
  userId: string,
  now: number,
): Promise<FreshLink> {
  await signInLinks.deleteExpired(isoTime(now));
  await signInLinks.deleteOf(userId);
  const token = randomBytes(32).toString("base64url");
  const expiresAt = isoTime(now + VALID_MS);
  await signInLinks.insert({ hash: hashKey(token), userId, createdAt: isoTime(now), expiresAt });
  return { token, expiresAt };
}
