import { type Config, readConfig } from "./config.ts";

/** Which setting says what. */
const SETTINGS: Readonly<Record<keyof Config, string>> = {
  host: "PARLANCE_HOST",
  port: "PARLANCE_PORT",
  data: "PARLANCE_DATA",
  databaseUrl: "PARLANCE_DATABASE_URL",
  models: "PARLANCE_MODELS",
  adminKey: "PARLANCE_ADMIN_KEY",
  adminPassword: "PARLANCE_ADMIN_PASSWORD",
  adminEmail: "PARLANCE_ADMIN_EMAIL",
  publicUrl: "PARLANCE_PUBLIC_URL",
  trustProxy: "PARLANCE_TRUST_PROXY",
  log: "PARLANCE_LOG",
  workers: "PARLANCE_WORKERS",
  queue: "PARLANCE_QUEUE",
  keepAhead: "PARLANCE_KEEP_AHEAD",
  maxConnections: "PARLANCE_MAX_CONNECTIONS",
  maxTextCharacters: "PARLANCE_MAX_TEXT",
  concurrency: "PARLANCE_CONCURRENCY",
  requestsPerMinute: "PARLANCE_REQUESTS_PER_MINUTE",
  waitMs: "PARLANCE_WAIT_MS",
  plans: "PARLANCE_PLANS",
  prices: "PARLANCE_PRICES",
  kokoro: "PARLANCE_KOKORO",
  kokoroQuality: "PARLANCE_KOKORO_QUALITY",
  cloning: "PARLANCE_CLONING",
  whisper: "PARLANCE_WHISPER",
  asrWorkers: "PARLANCE_ASR_WORKERS",
  drainSeconds: "PARLANCE_DRAIN_SECONDS",
  liveIdleSeconds: "PARLANCE_LIVE_IDLE_SECONDS",
  metricsPort: "PARLANCE_METRICS_PORT",
  metricsHost: "PARLANCE_METRICS_HOST",
  metricsKey: "PARLANCE_METRICS_KEY",
  canarySeconds: "PARLANCE_CANARY_SECONDS",
  corsOrigins: "PARLANCE_CORS_ORIGINS",
  traces: "PARLANCE_TRACES",
  otlp: "OTEL_EXPORTER_OTLP_ENDPOINT",
};
const SECRETS: readonly (keyof Config)[] = ["adminKey", "adminPassword", "databaseUrl", "metricsKey", "otlp"];

export interface SettingInForce {
  readonly name: string;
  readonly value: string;
  readonly is_default: boolean;
}

/** The settings that this process runs with, for people to read. Secrets are only said to be set. */
export function settingsInForce(config: Config): readonly SettingInForce[] {
  const usual = readConfig({}).config;
  return (Object.keys(SETTINGS) as (keyof Config)[]).map((key) => ({
    name: SETTINGS[key],
    value: SECRETS.includes(key) ? (config[key] === undefined ? "not set" : "set") : describe(config[key]),
    is_default: JSON.stringify(config[key]) === JSON.stringify(usual[key]),
  }));
}

function describe(value: Config[keyof Config]): string {
  if (value === undefined) return "not set";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
