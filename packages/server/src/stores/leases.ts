import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "./tables.ts";

/** What one node says about one account. */
export interface LeaseClaim {
  readonly userId: string;
  readonly nodeId: string;
  /** ActiveRequests on this node. */
  readonly held: number;
  /** More that want to start. */
  readonly wanted: number;
  /** ActiveRequests on all nodes together. */
  readonly most: number;
  /** Requests that may start at once after a long rest; 0: as many as want to. */
  readonly burst: number;
  /** Microseconds in which one of them comes back. */
  readonly refill: number;
  /** For how long, in microseconds, what a node said is good. */
  readonly lease: number;
  /** Microseconds since 1970, for tests; the database's own clock otherwise, which is the same for all nodes. */
  readonly now?: number | undefined;
}

export interface LeaseGrant {
  readonly granted: number;
  /** On all nodes, those that were granted included. */
  readonly running: number;
  /** When the burst is possible again, and what time it is now. */
  readonly fullAt: number;
  readonly now: number;
}

export interface LeaseStore {
  claim(claim: LeaseClaim): Promise<LeaseGrant>;
}

/** By node: how many it has running, and when it said so. */
type Places = Readonly<Record<string, readonly [count: number, at: number]>>;

/**
 * One row for each account, changed by one statement. PostgreSQL locks the row first and then works with its newest
 * version, so that claims of any number of nodes come one after the other and none sees an old count. Nodes
 * that have been silent for longer than the lease are left out, and forgotten.
 */
export function createLeases(db: Kysely<Tables>): LeaseStore {
  return {
    async claim(claim) {
      const given = claim.now ?? null;
      const now = sql`coalesce(${given}::bigint, (extract(epoch from clock_timestamp()) * 1000000)::bigint)`;
      const { rows } = await sql<{ places: string; full_at: number; now: number }>`
        insert into leases as known (user_id, places, full_at)
        select ${claim.userId}, fresh.places, fresh.full_at
        from (${nextRow(claim, now, sql`'{}'`, sql`0::bigint`)}) fresh
        on conflict (user_id) do update
        set (places, full_at) = (${nextRow(claim, now, sql`known.places`, sql`known.full_at`)})
        returning places, full_at, ${now} as now`.execute(db);
      const [row] = rows;
      if (row === undefined) throw new Error("the lease was not written");
      const places = JSON.parse(row.places) as Places;
      const running = Object.values(places).reduce((sum, [count]) => sum + count, 0);
      const granted = (places[claim.nodeId]?.[0] ?? 0) - claim.held;
      return { granted, running, fullAt: row.full_at, now: row.now };
    },
  };
}

/** What the row is to hold, given what it holds. */
function nextRow(
  { nodeId, held, wanted, most, burst, refill, lease }: LeaseClaim,
  now: RawBuilder<unknown>,
  places: RawBuilder<unknown>,
  fullAt: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    select
      (case when ${held}::bigint + granted.count = 0 then others.places
       else others.places || jsonb_build_object(${nodeId}::text, jsonb_build_array(${held}::bigint + granted.count, clock.now))
       end)::text as places,
      greatest(${fullAt}, clock.now) + granted.count * ${refill}::bigint as full_at
    from (select ${now} as now) clock
    cross join lateral (
      select coalesce(jsonb_object_agg(key, value), '{}'::jsonb) as places, coalesce(sum((value->>0)::bigint), 0)::bigint as running
      from jsonb_each(${places}::jsonb)
      where key <> ${nodeId} and (value->>1)::bigint > clock.now - ${lease}::bigint
    ) others
    cross join lateral (
      select greatest(0, least(
        ${wanted}::bigint,
        ${most}::bigint - ${held}::bigint - others.running,
        case when ${burst}::bigint = 0 then ${wanted}::bigint
        else ${burst}::bigint - ceil(greatest(0, ${fullAt} - clock.now)::numeric / greatest(1, ${refill}::bigint))::bigint end
      )) as count
    ) granted`;
}
