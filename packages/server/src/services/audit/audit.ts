import type { AuditAction } from "@parlance/protocol";
import { newId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/time.ts";
import type { AuditEntry, AuditFilter, Named } from "../../stores/audit-log.ts";
import type { Store } from "../../stores/store.ts";
import type { UserRecord } from "../../stores/users.ts";

export type { AuditEntry };

export interface AuditEvent {
  readonly action: AuditAction;
  /** The account that acts; a name where no account does. */
  readonly actor?: { readonly userId: string } | { readonly name: string } | undefined;
  readonly keyId?: string | undefined;
  readonly address?: string | undefined;
  /** What it is done to: an account, or something with a name. */
  readonly target?: { readonly userId: string } | Named | undefined;
  /** Never secrets. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

export interface AuditPage extends AuditFilter {
  readonly pageSize: number;
  readonly pageNumber: number;
}

/** Who did what when. */
export interface Audit {
  /** Never throws: what was done is done, and a failed write is reported. */
  record(event: AuditEvent): Promise<void>;
  /** Writes an entry when the settings differ from those of the newest such entry. Never throws. */
  recordSettings(settings: Readonly<Record<string, string>>): Promise<void>;
  list(page: AuditPage): Promise<{ readonly total: number; readonly entries: readonly AuditEntry[] }>;
  /** Deletes entries that are too old or too many. */
  sweep(): Promise<void>;
}

export interface AuditOptions {
  readonly days: number;
  /** Left out: as many as anybody may write, see `MAX_ENTRIES`. */
  readonly maxEntries?: number;
  readonly now?: () => number;
  readonly onFault: (error: unknown) => void;
}

const DAY_MS = 86_400_000;
const SWEEP_EVERY_MS = 600_000;
const SWEEP_BATCH = 500;
/** Failed sign-ins without an account are entries too, so their number has a separate bound. */
export const MAX_ENTRIES = 200_000;

export function createAudit(store: Store, options: AuditOptions): Audit {
  const { days, maxEntries = MAX_ENTRIES, now = Date.now, onFault } = options;
  let sweptAt = Number.NEGATIVE_INFINITY;
  const nameOf = async (who: AuditEvent["actor"] | AuditEvent["target"]): Promise<Named | null> => {
    if (who === undefined) return null;
    if (!("userId" in who)) return { id: null, ...who };
    const user = await store.users.find(who.userId);
    return { id: who.userId, name: user === undefined ? who.userId : nameOfUser(user) };
  };
  const write = async (event: AuditEvent): Promise<void> => {
    const { action, actor, keyId = null, address = "", target, details = {} } = event;
    await store.auditLog.add({
      id: newId(),
      at: isoTime(now()),
      action,
      actor: await nameOf(actor),
      keyId,
      address,
      target: await nameOf(target),
      details,
    });
  };
  return {
    record: (event) => write(event).catch(onFault),
    async recordSettings(settings) {
      try {
        const [last] = await store.auditLog.list({ action: "settings.changed" }, { offset: 0, limit: 1 });
        if (JSON.stringify(last?.details) === JSON.stringify(settings)) return;
        await write({ action: "settings.changed", actor: { name: "server" }, details: settings });
      } catch (error) {
        onFault(error);
      }
    },
    async list({ pageSize, pageNumber, ...filter }) {
      const [total, entries] = await Promise.all([
        store.auditLog.count(filter),
        store.auditLog.list(filter, { offset: (pageNumber - 1) * pageSize, limit: pageSize }),
      ]);
      return { total, entries };
    },
    async sweep() {
      if (now() - sweptAt < SWEEP_EVERY_MS) return;
      sweptAt = now();
      const aged = isoTime(now() - days * DAY_MS);
      const surplus = (await store.auditLog.timeOf(maxEntries)) ?? "";
      const before = surplus > aged ? surplus : aged;
      for (let batch = SWEEP_BATCH; batch === SWEEP_BATCH; ) {
        batch = await store.auditLog.removeBefore(before, SWEEP_BATCH);
      }
    },
  };
}

function nameOfUser({ email, nickname }: Pick<UserRecord, "email" | "nickname">): string {
  return email ?? nickname;
}
