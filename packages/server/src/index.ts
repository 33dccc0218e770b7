export { type App, type AppParts, buildApp } from "./app.ts";
export { type Config, ConfigError, type LogLevel, type ReadConfig, readConfig } from "./config.ts";
export { type RunningServer, type ServerParts, startServer } from "./server.ts";
export { type Bootstrap, bootstrap } from "./services/bootstrap.ts";
export { type Caller, createKeys, type Keys, type NewKey } from "./services/keys.ts";
export { closeOnSignal } from "./signals.ts";
export { openSqliteStore } from "./stores/sqlite.ts";
export * from "./stores/store.ts";
export { createLog, type Log } from "./telemetry/log.ts";
