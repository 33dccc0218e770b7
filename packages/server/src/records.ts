/**
 * Settings, accounts, keys, wallets, usage, voices and their files, without the service itself. Programs that work on the database load
 * this part alone: it takes a third of the time.
 */
export {
  type Config,
  ConfigError,
  type ConfigReport,
  inspectConfig,
  type LogLevel,
  type ReadConfig,
  readConfig,
} from "./config/config.ts";
export { plansOf } from "./config/plans.ts";
export { type Setting, summaryOf, toPlainText } from "./config/setting.ts";
export { SETTING_GROUPS, type SettingGroup } from "./config/settings.ts";
export { readAddress } from "./lib/address-file.ts";
export { urlHost } from "./lib/url-host.ts";
export { toSubscription } from "./routes/admin/wallet.ts";
export { toEntry, toPackage } from "./routes/wallet/records.ts";
export { type AuditEvent, createAudit } from "./services/audit/audit.ts";
export { createWalletService, type LedgerRecord, type Wallets } from "./services/billing/wallet.ts";
export { type AccountChange, type Accounts, createAccounts, type UserRecord } from "./services/identity/accounts.ts";
export { type Bootstrap, bootstrap } from "./services/identity/bootstrap.ts";
export { type ApiKeyRecord, type Caller, createKeys, type Keys, type NewKey } from "./services/identity/keys.ts";
export { createPasswords } from "./services/identity/passwords.ts";
export { usageCsv } from "./services/usage/usage-csv.ts";
export { type ReportRequest, reportUsage } from "./services/usage/usage-report.ts";
export { checkObjects, type ObjectReport } from "./services/voices/check-objects.ts";
export { type MoveResult, moveFiles } from "./services/voices/move-files.ts";
export { createObjectSweep } from "./services/voices/object-sweep.ts";
export { createVoiceFiles } from "./services/voices/voice-files.ts";
export { backupSqlite, restoreSqlite } from "./stores/backup.ts";
export { type ObjectStorage, ObjectStorageError } from "./stores/object-storage.ts";
export { openStore } from "./stores/open-store.ts";
export { createS3Objects } from "./stores/s3-objects.ts";
export { databasePath } from "./stores/sqlite.ts";
export type { Store } from "./stores/store.ts";
export { StoreError } from "./stores/store-error.ts";
export { createLog, type Log } from "./telemetry/log.ts";
export { type LogEvent, type LogFor, logEvent } from "./telemetry/log-events.ts";
