import { existsSync } from "node:fs";
import { ApiError } from "@parlance/protocol";
import {
  type Accounts,
  type AuditEvent,
  type Config,
  ConfigError,
  createAccounts,
  createAudit,
  createKeys,
  createPasswords,
  databasePath,
  type Keys,
  openStore,
  readConfig,
  type Store,
  type UserRecord,
} from "@parlance/server/records";
import { noSuchUser, UsageError } from "./errors.ts";

/** The records of a service, for the commands of its operator. */
export interface Records {
  readonly store: Store;
  readonly accounts: Accounts;
  readonly keys: Keys;
  readonly config: Config;
  /** Adds to the audit log what a command has done. */
  audit(event: Omit<AuditEvent, "actor">): Promise<void>;
  /** By id or e-mail address; the first admin by default. */
  findUser(idOrEmail: string | undefined): Promise<UserRecord>;
}

export function readSettings(environment: NodeJS.ProcessEnv): Config {
  try {
    return readConfig(environment).config;
  } catch (error) {
    throw error instanceof ConfigError ? new UsageError(error.message, { cause: error }) : error;
  }
}

/** Opens the database directly, whether or not a server uses it at the same time. */
export async function withRecords<Result>(
  environment: NodeJS.ProcessEnv,
  work: (records: Records) => Promise<Result>,
): Promise<Result> {
  const config = readSettings(environment);
  // Otherwise a wrong folder would silently become an empty service.
  if (config.databaseUrl === undefined && !existsSync(databasePath(config.data))) {
    throw new Error(`there is no database in ${config.data}: set PARLANCE_DATA, or start the service once`);
  }
  const store = await openStore(config);
  const accounts = createAccounts({ store, passwords: createPasswords() });
  const log = createAudit(store, {
    days: config.auditDays,
    onFault: (error) => process.emitWarning(`the audit log was not written: ${String(error)}`),
  });
  const audit: Records["audit"] = (event) => log.record({ ...event, actor: { name: "command line" } });
  try {
    return await work({ store, accounts, keys: createKeys(store), config, audit, findUser });
  } catch (error) {
    // An invalid value on the command line.
    if (error instanceof ApiError && error.code === "invalid_value") throw new UsageError(error.message);
    throw error;
  } finally {
    await store.close();
  }

  async function findUser(idOrEmail: string | undefined): Promise<UserRecord> {
    const user = await (idOrEmail === undefined ? store.users.findFirstAdmin() : accounts.search(idOrEmail));
    if (user !== undefined) return user;
    throw idOrEmail === undefined ? new UsageError("there is no admin yet") : noSuchUser(idOrEmail);
  }
}
