import type { Kysely, Selectable } from "kysely";
import type { Tables } from "./tables.ts";

/** Credits set aside for a running request. */
export interface ReservationRecord {
  readonly userId: string;
  readonly requestId: string;
  /** The key that pays; null: a session. */
  readonly keyId: string | null;
  /** The node that runs the request. */
  readonly node: string;
  readonly operation: string;
  readonly fromPackage: number;
  readonly fromExtra: number;
  /** The price of what was delivered so far. */
  readonly delivered: number;
  /** The wallet's period at the reservation: refunds in a later period expire at once. */
  readonly period: number;
  readonly openedAt: string;
  /** After this time its node closes the reservation, unless its request runs. */
  readonly expiresAt: string;
}

export interface ReservationStore {
  /** Throws (`isTaken`) when the request has an open one. */
  insert(reservation: ReservationRecord): Promise<void>;
  find(userId: string, requestId: string): Promise<ReservationRecord | undefined>;
  /** Never lowers it. False when the reservation is closed. */
  deliver(userId: string, requestId: string, delivered: number, expiresAt: string): Promise<boolean>;
  /** Deletes and returns the reservation. Of concurrent calls one gets it, the others undefined. */
  take(userId: string, requestId: string): Promise<ReservationRecord | undefined>;
  ofNode(node: string, limit: number): Promise<readonly ReservationRecord[]>;
  /** Of all nodes but `others`. */
  expired(before: string, limit: number, others: readonly string[]): Promise<readonly ReservationRecord[]>;
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
          key_id: reservation.keyId,
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
    async expired(before, limit, others) {
      const expired = all().where("expires_at", "<", before).limit(limit);
      const chosen = others.length === 0 ? expired : expired.where("node", "not in", others);
      return (await chosen.execute()).map(toReservation);
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
    keyId: row.key_id,
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
