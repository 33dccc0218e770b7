import type { Kysely, Selectable } from "kysely";
import type { Tables } from "./tables.ts";

/** Credits that were taken out of a wallet for work that is not over. */
export interface ReservationRecord {
  readonly userId: string;
  readonly requestId: string;
  /** The process that does the work. */
  readonly node: string;
  readonly operation: string;
  readonly fromPackage: number;
  readonly fromExtra: number;
  /** The price of what the caller has got so far. */
  readonly delivered: number;
  /** The wallet's period when it was opened: what comes back later than that has expired. */
  readonly period: number;
  readonly openedAt: string;
  /** Nobody works on it after this time, whatever its node says. */
  readonly expiresAt: string;
}

export interface ReservationStore {
  /** Throws (`isTaken`) when the request has an open one. */
  insert(reservation: ReservationRecord): Promise<void>;
  find(userId: string, requestId: string): Promise<ReservationRecord | undefined>;
  /** Only ever upwards. False when it is not open any more. */
  deliver(userId: string, requestId: string, delivered: number, expiresAt: string): Promise<boolean>;
  /** The first who takes it gets it, all others undefined. */
  take(userId: string, requestId: string): Promise<ReservationRecord | undefined>;
  ofNode(node: string, limit: number): Promise<readonly ReservationRecord[]>;
  expired(before: string, limit: number): Promise<readonly ReservationRecord[]>;
  ofUser(userId: string): Promise<readonly ReservationRecord[]>;
}

export function createReservations(db: Kysely<Tables>): ReservationStore {
  const all = () => db.selectFrom("reservations").selectAll();
  return {
    async insert(reservation) {
      await db
        .insertInto("reservations")
        .values({
          user_id: reservation.userId,
          request_id: reservation.requestId,
          node: reservation.node,
          operation: reservation.operation,
          from_package: reservation.fromPackage,
          from_extra: reservation.fromExtra,
          delivered: reservation.delivered,
          period: reservation.period,
          opened_at: reservation.openedAt,
          expires_at: reservation.expiresAt,
        })
        .execute();
    },
    async find(userId, requestId) {
      const row = await all().where("user_id", "=", userId).where("request_id", "=", requestId).executeTakeFirst();
      return row && toReservation(row);
    },
    async deliver(userId, requestId, delivered, expiresAt) {
      const result = await db
        .updateTable("reservations")
        .set({ delivered, expires_at: expiresAt })
        .where("user_id", "=", userId)
        .where("request_id", "=", requestId)
        .where("delivered", "<=", delivered)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
    async take(userId, requestId) {
      const row = await db
        .deleteFrom("reservations")
        .where("user_id", "=", userId)
        .where("request_id", "=", requestId)
        .returningAll()
        .executeTakeFirst();
      return row && toReservation(row);
    },
    async ofNode(node, limit) {
      return (await all().where("node", "=", node).limit(limit).execute()).map(toReservation);
    },
    async expired(before, limit) {
      return (await all().where("expires_at", "<", before).limit(limit).execute()).map(toReservation);
    },
    async ofUser(userId) {
      return (await all().where("user_id", "=", userId).orderBy("opened_at").execute()).map(toReservation);
    },
  };
}

function toReservation(row: Selectable<Tables["reservations"]>): ReservationRecord {
  return {
    userId: row.user_id,
    requestId: row.request_id,
    node: row.node,
    operation: row.operation,
    fromPackage: row.from_package,
    fromExtra: row.from_extra,
    delivered: row.delivered,
    period: row.period,
    openedAt: row.opened_at,
    expiresAt: row.expires_at,
  };
}
