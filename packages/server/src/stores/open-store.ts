import type { Config } from "../config/config.ts";
import { openPostgresStore } from "./postgres.ts";
import { openSqliteStore } from "./sqlite.ts";
import type { Store } from "./store.ts";

/** Opens PostgreSQL if an address is configured, otherwise the SQLite file in the data folder. */
export function openStore(
  config: Pick<Config, "data" | "databaseUrl">,
  onLostConnection?: (error: Error) => void,
): Promise<Store> {
  return config.databaseUrl === undefined
    ? openSqliteStore(config.data)
    : openPostgresStore(config.databaseUrl, undefined, onLostConnection);
}
