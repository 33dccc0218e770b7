import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "./tables.ts";

/** One node's report about one account. */
export interface LeaseClaim {
  readonly userId: string;
  readonly nodeId: string;
  /** Requests that run on this node. */
  readonly held: number;
  /** Requests that are to start. */
  readonly requested: number;
  /** How many may run on all nodes together. */
  readonly limit: number;
  /** Requests that may start at once when the bucket is full; 0: no rate limit. */
  readonly burst: number;
  /** Microseconds in which one of them is refilled. */
  readonly refill: number;
  /** How long a node's report is valid, in microseconds. */
  readonly lease: number;
  /** Microseconds since 1970, for tests. Default: the clock of the database, which is the same for all nodes. */
  readonly now?: number | undefined;
}

export interface LeaseGrant {
  readonly granted: number;
  /** On all nodes, including those that were granted. */
  readonly running: number;
  /** When the bucket is full again. */
  readonly fullAt: number;
  /** The time of the claim. */
  readonly now: number;
}

export interface LeaseStore {
  claim(claim: LeaseClaim): Promise<LeaseGrant>;
}

const MINUTE_US = 60_000_000;

/** By node: how many it has running, and when it reported that. */
type Reports = Readonly<Record<string, readonly [count: number, at: number]>>;

/**
 * One row for each account, changed by one statement. PostgreSQL locks the row first and then works with its newest
 * version, so claims of any number of nodes run one after the other and none sees an old count. Nodes whose report is
 * older than the lease are not counted, and are removed from the row. So are reports from the future: the clock of the
 * database was set back. A node that is alive soon reports again.
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
      const reports = JSON.parse(row.places) as Reports;
      const running = Object.values(reports).reduce((sum, [count]) => sum + count, 0);
      const granted = (reports[claim.nodeId]?.[0] ?? 0) - claim.held;
      return { granted, running, fullAt: row.full_at, now: row.now };
    },
  };
}

/** The new values of the row, computed from the current ones. */
function nextRow(
  { nodeId, held, requested, limit, burst, refill, lease }: LeaseClaim,
  now: RawBuilder<unknown>,
  places: RawBuilder<unknown>,
  fullAt: RawBuilder<unknown>,
): RawBuilder<unknown> {
  // An empty bucket is full in a minute. If it takes longer, the clock of the database was set back.
  const full = sql`(case when ${fullAt} > clock.now + ${2 * MINUTE_US}::bigint then clock.now else ${fullAt} end)`;
  return sql`
    select
      (case when ${held}::bigint + granted.count = 0 then others.places
       else others.places || jsonb_build_object(${nodeId}::text, jsonb_build_array(${held}::bigint + granted.count, clock.now))
       end)::text as places,
      greatest(${full}, clock.now) + granted.count * ${refill}::bigint as full_at
    from (select ${now} as now) clock
    cross join lateral (
      select coalesce(jsonb_object_agg(key, value), '{}'::jsonb) as places, coalesce(sum((value->>0)::bigint), 0)::bigint as running
      from jsonb_each(${places}::jsonb)
      where key <> ${nodeId} and (value->>1)::bigint > clock.now - ${lease}::bigint
        and (value->>1)::bigint < clock.now + ${lease}::bigint
    ) others
    cross join lateral (
      select greatest(0, least(
        ${requested}::bigint,
        ${limit}::bigint - ${held}::bigint - others.running,
        case when ${burst}::bigint = 0 then ${requested}::bigint
        else ${burst}::bigint - ceil(greatest(0, ${full} - clock.now)::numeric / greatest(1, ${refill}::bigint))::bigint end
      )) as count
    ) granted`;
}
