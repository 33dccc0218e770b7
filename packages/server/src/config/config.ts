import { resolve } from "node:path";
import { LIMITS, type Plans, type Prices } from "@parlance/protocol";
import { defaultModelsDirectory, type KokoroQuality } from "@parlance/speech";
import { z } from "zod";
import { nearest } from "../lib/nearest.ts";
import { corsOriginsSetting, emailSetting, publicUrlSetting, trustProxySetting } from "./addresses.ts";
import { ConfigError } from "./config-error.ts";
import { type OtlpSettings, readOtlp } from "./otlp.ts";
import { mergePlans, mergePrices, plansSetting, pricesSetting } from "./plans.ts";

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Where the database lives. */
  readonly data: string;
  /** PostgreSQL instead of a file in `data`. */
  readonly databaseUrl: string | undefined;
  readonly models: string;
  readonly adminKey: string | undefined;
  readonly adminPassword: string | undefined;
  readonly adminEmail: string | undefined;
  /** Where the service is reached from outside; undefined: as the request says. */
  readonly publicUrl: string | undefined;
  /** Reverse proxies whose word about the caller's address and scheme is taken. */
  readonly trustProxy: readonly string[] | undefined;
  readonly log: LogLevel;
  /** Inference processes; undefined lets the engine decide from the machine. */
  readonly workers: number | undefined;
  /** How many requests may be spoken or wait at one time. */
  readonly queue: number;
  /** Whether a request is refused that could not be kept ahead of its playback together with those that are spoken. */
  readonly keepAhead: "on" | "off";
  /** Connections that may be open at one time, whatever is on them. */
  readonly maxConnections: number;
  readonly maxTextCharacters: number;
  /** Requests at a time of an account, whatever its plan says. */
  readonly concurrency: number | undefined;
  /** The same for requests in a minute. 0: no limit. */
  readonly requestsPerMinute: number | undefined;
  /** How long a request over its account's limits waits for its turn before it is refused. */
  readonly waitMs: number;
  readonly plans: Plans;
  readonly prices: Prices;
  readonly kokoro: "auto" | "off";
  readonly kokoroQuality: KokoroQuality;
  /** Whether voices can be made from recordings; `auto` fetches the models for it when the first is wanted. */
  readonly cloning: "auto" | "on" | "off";
  /** The size of the model that understands languages other than English. */
  readonly whisper: "tiny" | "base" | "small" | "off";
  /** Processes that listen; undefined lets the engine decide from the machine. */
  readonly asrWorkers: number | undefined;
  /** How long running streams may go on after a stop was asked for. */
  readonly drainSeconds: number;
  /** How long a live socket may be open without anything being said or sent on it. */
  readonly liveIdleSeconds: number;
  /** Where figures for Prometheus are read, instead of on the main port. */
  readonly metricsPort: number | undefined;
  readonly metricsHost: string;
  /** Opens the figures, and nothing else. */
  readonly metricsKey: string | undefined;
  /** How often it is tried whether speaking and listening still work. 0: at the start only. */
  readonly canarySeconds: number;
  /** Pages of these origins may use the API with a key; `*` is all of them. */
  readonly corsOrigins: readonly string[] | undefined;
  /** How many recent requests are remembered with what was done in them. */
  readonly traces: number;
  /** Where spans are sent, by the standard `OTEL_*` names; undefined: nowhere. */
  readonly otlp: OtlpSettings | undefined;
}

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export { ConfigError } from "./config-error.ts";
export type { OtlpSettings } from "./otlp.ts";

// The description of each setting says what is allowed, and is what a refusal quotes.
const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.number().min(min).max(max))
    .optional()
    .meta({ description: `an integer from ${min} to ${max}` });
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z
    .enum(values)
    .optional()
    .meta({ description: `one of ${values.join(", ")}` });
const text = (description: string) => z.string().min(1).optional().meta({ description });
const keySetting = z
  .string()
  .regex(/^[\x21-\x7e]{16,512}$/)
  .optional()
  .meta({ description: "16 to 512 printable ASCII characters without spaces" });

const settings = z.object({
  PARLANCE_HOST: text("a host name or address to listen on"),
  PARLANCE_PORT: integer(0, 65535),
  PARLANCE_DATA: text("a folder"),
  PARLANCE_DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/)
    .optional()
    .meta({ description: "an address such as postgres://user:password@host/database" }),
  PARLANCE_MODELS: text("a folder"),
  PARLANCE_ADMIN_KEY: keySetting,
  PARLANCE_ADMIN_PASSWORD: z.string().min(8).max(512).optional().meta({ description: "8 to 512 characters" }),
  PARLANCE_ADMIN_EMAIL: emailSetting,
  PARLANCE_PUBLIC_URL: publicUrlSetting,
  PARLANCE_TRUST_PROXY: trustProxySetting,
  PARLANCE_LOG: oneOf(LOG_LEVELS),
  PARLANCE_WORKERS: integer(1, 256),
  PARLANCE_QUEUE: integer(1, 100_000),
  PARLANCE_KEEP_AHEAD: oneOf(["on", "off"]),
  PARLANCE_MAX_CONNECTIONS: integer(1, 1_000_000),
  PARLANCE_MAX_TEXT: integer(1, 1_000_000),
  PARLANCE_CONCURRENCY: integer(1, 100_000),
  PARLANCE_REQUESTS_PER_MINUTE: integer(0, 1_000_000),
  PARLANCE_WAIT_MS: integer(0, 60_000),
  PARLANCE_PLANS: plansSetting,
  PARLANCE_PRICES: pricesSetting,
  PARLANCE_KOKORO: oneOf(["auto", "off"]),
  PARLANCE_KOKORO_QUALITY: oneOf(["fast", "full"]),
  PARLANCE_CLONING: oneOf(["auto", "on", "off"]),
  PARLANCE_WHISPER: oneOf(["tiny", "base", "small", "off"]),
  PARLANCE_ASR_WORKERS: integer(1, 256),
  PARLANCE_DRAIN_SECONDS: integer(0, 3600),
  PARLANCE_LIVE_IDLE_SECONDS: integer(1, 86_400),
  PARLANCE_METRICS_PORT: integer(0, 65535),
  PARLANCE_METRICS_HOST: text("a host name or address to listen on"),
  PARLANCE_METRICS_KEY: keySetting,
  PARLANCE_CANARY_SECONDS: integer(0, 86_400),
  PARLANCE_CORS_ORIGINS: corsOriginsSetting,
  PARLANCE_TRACES: integer(0, 100_000),
});

/** For the command line, which talks to a server: they are no mistake here either. */
const CLIENT_NAMES: readonly string[] = ["PARLANCE_URL", "PARLANCE_API_KEY"];

type SettingName = keyof typeof settings.shape;
const NAMES = Object.keys(settings.shape) as readonly SettingName[];
const SECRETS: readonly string[] = [
  "PARLANCE_ADMIN_KEY",
  "PARLANCE_ADMIN_PASSWORD",
  "PARLANCE_DATABASE_URL",
  "PARLANCE_METRICS_KEY",
] satisfies SettingName[];

export interface ReadConfig {
  readonly config: Config;
  /** Settings that look like ours but are not. */
  readonly warnings: readonly string[];
}

/** Reads the environment once. Throws `ConfigError` for a bad setting. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): ReadConfig {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => name.startsWith("PARLANCE_") && value !== undefined && value !== ""),
  );
  const parsed = settings.safeParse(given);
  if (!parsed.success) throw new ConfigError(refusal(parsed.error, given));
  const values = parsed.data;
  return {
    config: {
      host: values.PARLANCE_HOST ?? "127.0.0.1",
      port: values.PARLANCE_PORT ?? 8080,
      data: resolve(values.PARLANCE_DATA ?? "data"),
      databaseUrl: values.PARLANCE_DATABASE_URL,
      models: defaultModelsDirectory(given),
      adminKey: values.PARLANCE_ADMIN_KEY,
      adminPassword: values.PARLANCE_ADMIN_PASSWORD,
      adminEmail: values.PARLANCE_ADMIN_EMAIL,
      publicUrl: values.PARLANCE_PUBLIC_URL,
      trustProxy: values.PARLANCE_TRUST_PROXY,
      log: values.PARLANCE_LOG ?? "info",
      workers: values.PARLANCE_WORKERS,
      queue: values.PARLANCE_QUEUE ?? 64,
      keepAhead: values.PARLANCE_KEEP_AHEAD ?? "on",
      maxConnections: values.PARLANCE_MAX_CONNECTIONS ?? 5000,
      maxTextCharacters: values.PARLANCE_MAX_TEXT ?? LIMITS.textCharacters,
      concurrency: values.PARLANCE_CONCURRENCY,
      requestsPerMinute: values.PARLANCE_REQUESTS_PER_MINUTE,
      waitMs: values.PARLANCE_WAIT_MS ?? 0,
      plans: mergePlans(values.PARLANCE_PLANS),
      prices: mergePrices(values.PARLANCE_PRICES),
      kokoro: values.PARLANCE_KOKORO ?? "auto",
      kokoroQuality: values.PARLANCE_KOKORO_QUALITY ?? "fast",
      cloning: values.PARLANCE_CLONING ?? "auto",
      whisper: values.PARLANCE_WHISPER ?? "base",
      asrWorkers: values.PARLANCE_ASR_WORKERS,
      drainSeconds: values.PARLANCE_DRAIN_SECONDS ?? 10,
      liveIdleSeconds: values.PARLANCE_LIVE_IDLE_SECONDS ?? 120,
      metricsPort: values.PARLANCE_METRICS_PORT,
      metricsHost: values.PARLANCE_METRICS_HOST ?? "127.0.0.1",
      metricsKey: values.PARLANCE_METRICS_KEY,
      canarySeconds: values.PARLANCE_CANARY_SECONDS ?? 60,
      corsOrigins: values.PARLANCE_CORS_ORIGINS,
      traces: values.PARLANCE_TRACES ?? 500,
      otlp: readOtlp(env),
    },
    warnings: Object.keys(given)
      .filter((name) => ![...NAMES, ...CLIENT_NAMES].includes(name))
      .map(unknownSetting),
  };
}

function refusal(error: z.ZodError, given: Readonly<Record<string, string | undefined>>): string {
  const name = NAMES.find((candidate) => candidate === error.issues[0]?.path[0]);
  if (name === undefined) return error.message;
  const value = SECRETS.includes(name) ? "the given value (not shown)" : JSON.stringify(given[name]);
  return `${name}: ${value} is not allowed, it must be ${settings.shape[name].meta()?.description}`;
}

function unknownSetting(name: string): string {
  const near = nearest(name, NAMES);
  return `${name} is not a setting and is ignored${near === undefined ? "" : `; did you mean ${near}?`}`;
}
