import { newToken } from "../../lib/ids.ts";
import { isoTime } from "../../lib/time.ts";
import type { Records } from "../../stores/store.ts";
import { hashKey } from "./keys.ts";

export interface FreshLink {
  /** The token in the link. Only its hash is stored. */
  readonly token: string;
  readonly expiresAt: string;
}

const VALID_MS = 24 * 60 * 60_000;

/** A link that signs in once. Older links of the same account stop working. */
export async function createSignInLink(
  { signInLinks }: Pick<Records, "signInLinks">,
  userId: string,
  now: number,
): Promise<FreshLink> {
  await signInLinks.deleteExpired(isoTime(now));
  await signInLinks.deleteOf(userId);
  const token = newToken();
  const expiresAt = isoTime(now + VALID_MS);
  await signInLinks.insert({ hash: hashKey(token), userId, createdAt: isoTime(now), expiresAt });
  return { token, expiresAt };
}
