import { ModelStoreError } from "./errors.ts";
import type { HttpClient } from "./http-client.ts";
import { type Digest, digestOfIntegrity } from "./integrity.ts";
import { type NpmTarball, tarballName } from "./model.ts";

export interface TarballAddress {
  readonly url: string;
  readonly digest: Digest;
}

const abbreviatedMetadata = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8, */*";

/** Gets the URL and the hash of a package version from the user's registry. */
export async function locateTarball(
  http: HttpClient,
  tarball: NpmTarball,
  signal: AbortSignal,
): Promise<TarballAddress> {
  const url = metadataUrl(http, tarball);
  const response = await http.get(url, { accept: abbreviatedMetadata }, signal);
  const dist = distOf(await response.json(), tarball.version);
  if (dist === undefined)
    throw new ModelStoreError("unreachable", `${tarballName(tarball)}: the registry has no such version (${url})`);
  const digest = digestOfIntegrity(dist.integrity ?? (dist.shasum ? `sha1-${hexToBase64(dist.shasum)}` : ""));
  if (digest === undefined)
    throw new ModelStoreError("unreachable", `${tarballName(tarball)}: the registry gives no hash for it (${url})`);
  return { url: moveToRegistry(dist.tarball, http.registryOf(tarball.name), http.replacedHost), digest };
}

export function metadataUrl(http: HttpClient, { name }: NpmTarball): string {
  return new URL(name.replace("/", "%2f"), withSlash(http.registryOf(name))).href;
}

/** The metadata of a mirror often contains URLs of the public registry. They are changed to the mirror, as npm does. */
export function moveToRegistry(address: string, registry: string, replacedHost: string): string {
  const url = new URL(address);
  const move = replacedHost === "always" || (replacedHost !== "never" && url.host === replacedHost);
  if (!move) return url.href;
  const target = new URL(withSlash(registry));
  const path = url.pathname.startsWith(target.pathname) ? url.pathname : target.pathname + url.pathname.slice(1);
  return new URL(path + url.search, target).href;
}

interface Dist {
  readonly tarball: string;
  readonly integrity: string | undefined;
  readonly shasum: string | undefined;
}

function distOf(metadata: unknown, version: string): Dist | undefined {
  const dist = field(field(field(metadata, "versions"), version), "dist");
  const tarball = text(field(dist, "tarball"));
  if (tarball === undefined) return undefined;
  return { tarball, integrity: text(field(dist, "integrity")), shasum: text(field(dist, "shasum")) };
}

function field(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, name)?.value;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function withSlash(registry: string): string {
  return registry.endsWith("/") ? registry : `${registry}/`;
}

function hexToBase64(hex: string): string {
  return Buffer.from(hex, "hex").toString("base64");
}
