import type { SelectQueryBuilder } from "kysely";

/** How many rows match a query that selects nothing yet. PostgreSQL returns counts as text. */
export async function countRows<Tables, Name extends keyof Tables>(
  query: SelectQueryBuilder<Tables, Name, object>,
): Promise<number> {
  const counted = query.select((row) => row.fn.countAll().as("count")).$castTo<{ readonly count: string | number }>();
  const { count } = await counted.executeTakeFirstOrThrow();
  return Number(count);
}
