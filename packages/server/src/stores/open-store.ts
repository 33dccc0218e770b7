import type { Config } from "../config/config.ts";
import { openSqliteStore } from "./sqlite.ts";
import type { Store } from "./store.ts";

/** Opens PostgreSQL if an address is configured, otherwise the SQLite file in the data folder. */
export async function openStore(
  config: Pick<Config, "data" | "databaseUrl">,
  onLostConnection?: (error: Error) => void,
): Promise<Store> {
  if (config.databaseUrl === undefined) return openSqliteStore(config.data);
  // The driver is loaded only where it is used.
  const { openPostgresStore } = await import("./postgres.ts");
  return openPostgresStore(config.databaseUrl, undefined, onLostConnection);
}
