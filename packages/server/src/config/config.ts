import { nearest } from "../lib/nearest.ts";
import { readBlobs } from "./blobs.ts";
import { ConfigError } from "./config-error.ts";
import { readOtlp } from "./otlp.ts";
import { type Environment, givenName, readSetting, withoutCredentials } from "./setting.ts";
import type { Config } from "./settings.ts";
import { RENAMED, SETTING_GROUPS, SETTINGS } from "./settings.ts";

export { ConfigError } from "./config-error.ts";
export type { OtlpSettings } from "./otlp.ts";
export type { LogLevel } from "./settings/observability.ts";
export type { Config } from "./settings.ts";

export interface ReadConfig {
  readonly config: Config;
  /** `PARLANCE_` variables that are not settings. */
  readonly warnings: readonly string[];
}

const ALL = SETTING_GROUPS.flatMap(({ settings }) => settings);
const NAMES: readonly string[] = ALL.map(({ name }) => name);

/** Reads the environment. Throws `ConfigError` for a value that is not allowed. */
export function readConfig(env: Environment): ReadConfig {
  const names = namesIn(env);
  for (const name of names) {
    if (RENAMED[name] !== undefined) throw new ConfigError(renamed(name));
  }
  const values = Object.entries(SETTINGS).map(([key, entry]) => [key, readSetting<unknown>(entry, env)]);
  // The type is made from the same table.
  const fromTable = Object.fromEntries(values) as Omit<Config, "otlp" | "blobs">;
  const config = { ...fromTable, otlp: readOtlp(env), blobs: readBlobs(env) };
  checkRole(config);
  checkOidc(config);
  return {
    config,
    warnings: names.filter((name) => !NAMES.includes(name)).map(describeUnknown),
  };
}

/** All that can be said about the settings in an environment, for a report. Secrets are not shown. */
export interface ConfigReport {
  /** `NAME=value` of each setting that is given. */
  readonly given: readonly string[];
  /** Values that are not allowed, and former names. Each of them stops the start. */
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

export function inspectConfig(env: Environment): ConfigReport {
  const names = namesIn(env);
  const attempts = [
    ...Object.values(SETTINGS).map((entry) => () => readSetting<unknown>(entry, env)),
    () => readOtlp(env),
    () => readBlobs(env),
    () =>
      checkOidc({
        oidcIssuer: readSetting(SETTINGS.oidcIssuer, env),
        oidcClientId: readSetting(SETTINGS.oidcClientId, env),
      }),
    () => checkRole({ role: readSetting(SETTINGS.role, env), natsUrl: readSetting(SETTINGS.natsUrl, env) }),
  ];
  return {
    given: ALL.flatMap((entry) => {
      const name = givenName(entry, env);
      return name === undefined ? [] : [`${name}=${entry.secret ? "(secret)" : withoutCredentials(env[name] ?? "")}`];
    }),
    problems: [...names.filter((name) => name in RENAMED).map(renamed), ...attempts.flatMap(problemOf)],
    warnings: names.filter((name) => !NAMES.includes(name) && !(name in RENAMED)).map(describeUnknown),
  };
}

function checkRole({ role, natsUrl }: Pick<Config, "role" | "natsUrl">): void {
  if (role === "api" && natsUrl === undefined)
    throw new ConfigError("PARLANCE_ROLE: an api node reaches its machines over NATS, so it needs PARLANCE_NATS_URL");
}

function checkOidc({ oidcIssuer, oidcClientId }: Pick<Config, "oidcIssuer" | "oidcClientId">): void {
  if (oidcIssuer !== undefined && oidcClientId === undefined)
    throw new ConfigError(
      "PARLANCE_OIDC_ISSUER: the provider knows this service by an id, so it needs PARLANCE_OIDC_CLIENT_ID",
    );
}

function problemOf(attempt: () => unknown): readonly string[] {
  try {
    attempt();
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return [error.message];
    throw error;
  }
}

function namesIn(env: Environment): readonly string[] {
  return Object.keys(env).filter((name) => name.startsWith("PARLANCE_") && (env[name] ?? "") !== "");
}

function renamed(name: string): string {
  return `${name} was renamed to ${RENAMED[name]}`;
}

function describeUnknown(name: string): string {
  const near = nearest(name, NAMES);
  return `${name} is not a setting and is ignored${near === undefined ? "" : `; did you mean ${near}?`}`;
}
