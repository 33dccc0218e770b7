/// <reference path="./npm-modules.d.ts" />
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import Config from "@npmcli/config";
import npmSettings from "@npmcli/config/lib/definitions/index.js";
import fetch from "npm-registry-fetch";

export interface HttpResponse {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: AsyncIterable<Uint8Array>;
  json(): Promise<unknown>;
}

/** One request, no retries; redirects are followed. Rejects on a status of 400 and above. */
export interface HttpClient {
  get(url: string, headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<HttpResponse>;
  /** The registry for a package, by the user's settings for its scope. */
  registryOf(packageName: string): string;
  /** npm's `replace-registry-host`: the host whose tarball URLs are changed to the user's registry. */
  readonly replacedHost: string;
}

/**
 * Uses the configuration of the user's npm: registry, scopes, credentials, proxy and certificates come from the `.npmrc` files
 * and `npm_config_*`. npm itself is not run, and its cache is not used.
 */
export async function createHttpClient(environment: NodeJS.ProcessEnv): Promise<HttpClient> {
  const options = await loadNpmOptions(environment);
  return {
    get: (url, headers, signal) => fetch(url, { ...options, headers, signal }),
    registryOf: (packageName) => fetch.pickRegistry(packageName, options),
    replacedHost: replacedHost(options.replaceRegistryHost),
  };
}

async function loadNpmOptions(environment: NodeJS.ProcessEnv): Promise<Record<string, unknown>> {
  const config = new Config({
    npmPath: npmFolder(),
    definitions: npmSettings.definitions,
    shorthands: npmSettings.shorthands,
    flatten: npmSettings.flatten,
    argv: [],
    // A copy: loading writes npm_config_* into it.
    env: { ...environment },
    cwd: process.cwd(),
    warn: false,
  });
  await config.load();
  return { ...config.flat, cache: undefined, offline: false, preferOffline: false, retry: { retries: 0 } };
}

/** The folder of the npm that belongs to this Node: it may contain settings of the distribution. */
function npmFolder(): string {
  const bin = dirname(process.execPath);
  const candidates = [join(bin, "../lib/node_modules/npm"), join(bin, "node_modules/npm")];
  return candidates.find((folder) => existsSync(folder)) ?? bin;
}

function replacedHost(setting: unknown): string {
  if (setting === undefined || setting === "npmjs") return new URL(npmSettings.definitions.registry.default).host;
  return String(setting);
}
