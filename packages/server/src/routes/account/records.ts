import type { AccountRecord, ApiKeyInfo, SessionInfo, SignInLinkInfo } from "@parlance/protocol";
import { signInLink } from "@parlance/protocol";
import type { UserRecord } from "../../services/identity/accounts.ts";
import type { KeySpending } from "../../services/identity/key-spending.ts";
import type { ApiKeyRecord } from "../../services/identity/keys.ts";
import type { SessionRecord } from "../../services/identity/sessions.ts";
import type { FreshLink } from "../../services/identity/sign-in-links.ts";

// What callers see of the records: every field by name, so that nothing new gets out by itself.

export function toAccount(user: UserRecord, hasPassword: boolean): AccountRecord {
  return {
    _id: user.id,
    email: user.email,
    nickname: user.nickname,
    role: user.role,
    plan: user.plan,
    has_password: hasPassword,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
    disabled_at: user.disabledAt,
  };
}

export function toKey(key: ApiKeyRecord, spent: KeySpending): ApiKeyInfo {
  return {
    _id: key.id,
    name: key.name,
    prefix: key.prefix,
    created_at: key.createdAt,
    last_used_at: key.lastUsedAt,
    expires_at: key.expiresAt,
    revoked_at: key.revokedAt,
    scopes: key.scopes === null ? null : [...key.scopes],
    limits: key.limits === null ? null : { ...key.limits },
    spent: { ...spent },
  };
}

export function toSession(session: SessionRecord, current: string | undefined): SessionInfo {
  return {
    _id: session.id,
    current: session.id === current,
    created_at: session.createdAt,
    last_seen_at: session.lastSeenAt,
    expires_at: session.expiresAt,
    address: session.address,
    user_agent: session.userAgent,
  };
}

export function toLink(link: FreshLink, base: string): SignInLinkInfo {
  return { url: signInLink(base, link.token), expires_at: link.expiresAt };
}
