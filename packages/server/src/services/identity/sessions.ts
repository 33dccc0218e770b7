import { apiError } from "@parlance/protocol";
import { newId, newToken } from "../../lib/ids.ts";
import { isoTime } from "../../lib/time.ts";
import type { SessionRecord } from "../../stores/sessions.ts";
import type { Records } from "../../stores/store.ts";
import { type Caller, hashKey } from "./keys.ts";

export type { SessionRecord };

export interface OpenSession {
  /** For the cookie. Only its hash is stored. */
  readonly token: string;
  readonly record: SessionRecord;
}

/** Where a request comes from, shown in the list of sessions. */
export interface Origin {
  readonly address: string;
  readonly userAgent: string | undefined;
}

export interface Sessions {
  /** `records`: those of the transaction in which it is opened, if any. */
  open(
    userId: string,
    openedBy: SessionRecord["openedBy"],
    origin: Origin,
    records?: Pick<Records, "sessions">,
  ): Promise<OpenSession>;
  /** Throws the 401. */
  authenticate(token: string): Promise<Caller & { readonly session: SessionRecord }>;
  list(userId: string): Promise<readonly SessionRecord[]>;
  /** False when this user has no such session. */
  end(userId: string, id: string): Promise<boolean>;
}

const DAY_MS = 24 * 60 * 60_000;
/** A session that is not used for this long ends. */
export const IDLE_MS = 7 * DAY_MS;
/** A session ends at this age, even if it is used. */
export const MAX_AGE_MS = 30 * DAY_MS;
/** Last-seen times are exact to five minutes, which saves a durable write on every request. */
const TOUCH_MS = 5 * 60_000;
/** Per account; one more ends the oldest. */
const MAX_SESSIONS = 50;
const USER_AGENT_CHARACTERS = 200;

export function createSessions(
  { sessions: store }: Pick<Records, "sessions">,
  now: () => number = Date.now,
  onTouchFault: (error: unknown) => void = () => {},
): Sessions {
  const hasEnded = ({ expiresAt, lastSeenAt }: SessionRecord): boolean =>
    expiresAt <= isoTime(now()) || lastSeenAt <= isoTime(now() - IDLE_MS);
  const touch = async ({ id, lastSeenAt }: SessionRecord): Promise<void> => {
    const olderThan = isoTime(now() - TOUCH_MS);
    if (lastSeenAt >= olderThan) return;
    await store.touch(id, isoTime(now()), olderThan).catch(onTouchFault);
  };
  return {
    async open(userId, openedBy, { address, userAgent }, records = { sessions: store }) {
      const { sessions } = records;
      await sessions.deleteEnded(isoTime(now()), isoTime(now() - IDLE_MS));
      const token = newToken();
      const record: SessionRecord = {
        id: newId(),
        userId,
        hash: hashKey(token),
        createdAt: isoTime(now()),
        lastSeenAt: isoTime(now()),
        expiresAt: isoTime(now() + MAX_AGE_MS),
        address,
        userAgent: printable(userAgent ?? ""),
        openedBy,
      };
      await sessions.insert(record);
      for (const old of (await sessions.listOf(userId)).slice(MAX_SESSIONS)) await sessions.delete(userId, old.id);
      return { token, record };
    },
    async authenticate(token) {
      const found = /^[\w-]{43}$/.test(token) ? await store.findOwned(hashKey(token)) : undefined;
      if (found === undefined || hasEnded(found.session)) throw apiError("invalid_session", {});
      const { session, owner } = found;
      if (owner.disabledAt !== null) throw apiError("account_disabled", {});
      await touch(session);
      return { userId: session.userId, keyId: undefined, role: owner.role, plan: owner.plan, session };
    },
    async list(userId) {
      return (await store.listOf(userId)).filter((session) => !hasEnded(session));
    },
    end: (userId, id) => store.delete(userId, id),
  };
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, "?").slice(0, USER_AGENT_CHARACTERS);
}
