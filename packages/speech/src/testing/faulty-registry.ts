import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { create } from "tar";
import type { Model, ModelFile, NpmTarball } from "../models/model.ts";

/**
 * What a request for a file meets. truncate: the connection breaks after half of it · short: half of it, as if that were
 * all · corrupt: one byte is wrong · stall: nothing comes after half of it · slow: small portions with pauses · hold:
 * half of it, and the rest after `release` · ignore-range: everything from the start, whatever the range · redirect: it
 * lies elsewhere · a number: this status
 */
export type Fault = "truncate" | "short" | "corrupt" | "stall" | "slow" | "hold" | "ignore-range" | "redirect" | number;

export interface SeenRequest {
  readonly path: string;
  readonly range: string | undefined;
}

export interface FaultyRegistry {
  readonly url: string;
  /** One for each coming request of a file, in order; none left: it is served well. */
  readonly faults: Fault[];
  /** The same for requests of package metadata; only numbers. */
  readonly metadataFaults: number[];
  readonly seen: SeenRequest[];
  /** Continues all held responses. */
  release(): void;
  /** Settings under which npm's modules talk to this server and to no other. */
  readonly environment: NodeJS.ProcessEnv;
  publish(name: string, version: string, members: Readonly<Record<string, Uint8Array>>): Promise<NpmTarball>;
  /** Publishes a plain file; returns its URL. */
  serve(name: string, content: Uint8Array): string;
  close(): Promise<void>;
}

/** A small npm registry on this machine that can simulate faults. */
export async function startFaultyRegistry(): Promise<FaultyRegistry> {
  const files = new Map<string, Uint8Array>();
  const packages = new Map<string, Record<string, unknown>>();
  const faults: Fault[] = [];
  const metadataFaults: number[] = [];
  const seen: SeenRequest[] = [];
  const held = new Set<() => void>();
  const closing = new AbortController();

  const server = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "/").slice(1));
    seen.push({ path, range: request.headers.range });
    const content = files.get(path.replace(/^moved\//, ""));
    const versions = packages.get(path);
    const released = () => new Promise<void>((resolve) => held.add(resolve));
    if (content) void sendFile(request, response, path, content, { fault: faults.shift(), released, closing });
    else if (versions && metadataFaults.length > 0) response.writeHead(metadataFaults.shift() ?? 500).end();
    else if (versions) response.end(JSON.stringify({ name: path, versions }));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const home = await mkdtemp(join(tmpdir(), "parlance-home-"));

  return {
    url,
    faults,
    metadataFaults,
    seen,
    release() {
      for (const go of held) go();
      held.clear();
    },
    environment: {
      PATH: process.env.PATH,
      HOME: home,
      npm_config_registry: url,
      npm_config_userconfig: join(home, ".npmrc"),
      npm_config_globalconfig: join(home, "global-npmrc"),
      npm_config_replace_registry_host: "public.example",
      npm_config_noproxy: "127.0.0.1",
    },
    async publish(name, version, members) {
      const tarball = await pack(members);
      const path = `${name}/-/${version}.tgz`;
      files.set(path, tarball);
      const integrity = `sha512-${createHash("sha512").update(tarball).digest("base64")}`;
      // as a mirror that passes on the public registry's metadata
      const dist = { integrity, tarball: `https://public.example/${path}` };
      packages.set(name, { ...packages.get(name), [version]: { dist } });
      return { name, version, bytes: tarball.length };
    },
    serve(name, content) {
      files.set(name, content);
      return url + name;
    },
    async close() {
      closing.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  whole: Uint8Array,
  { fault, released, closing }: { fault: Fault | undefined; released(): Promise<void>; closing: AbortController },
): Promise<void> {
  if (typeof fault === "number") return void response.writeHead(fault).end("no");
  if (fault === "redirect") return void response.writeHead(302, { location: `/moved/${path}` }).end();
  const asked = fault === "ignore-range" ? undefined : /^bytes=(\d+)-$/.exec(request.headers.range ?? "");
  const start = asked ? Number(asked[1]) : 0;
  if (start >= whole.length) return void response.writeHead(416, { "content-range": `bytes */${whole.length}` }).end();
  const body = Buffer.from(whole.subarray(start));
  if (fault === "corrupt") body[body.length >> 1] = (body[body.length >> 1] ?? 0) ^ 1;
  const half = body.subarray(0, body.length >> 1);
  response.writeHead(asked ? 206 : 200, {
    etag: '"one"',
    "content-length": fault === "short" ? half.length : body.length,
    ...(asked ? { "content-range": `bytes ${start}-${whole.length - 1}/${whole.length}` } : {}),
  });
  if (fault === "short") return void response.end(half);
  if (fault === "truncate") return void response.write(half, () => response.destroy());
  if (fault === "stall") return void response.write(half);
  if (fault === "hold") {
    response.write(half);
    await released();
    return void response.end(body.subarray(half.length));
  }
  if (fault === "slow") await trickle(response, body, closing.signal);
  response.end(fault === "slow" ? undefined : body);
}

async function trickle(response: ServerResponse, body: Uint8Array, signal: AbortSignal): Promise<void> {
  const portion = Math.ceil(body.length / 40);
  for (let at = 0; at < body.length && !response.destroyed && !signal.aborted; at += portion) {
    response.write(body.subarray(at, at + portion));
    await sleep(50);
  }
}

async function pack(members: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), "parlance-pack-"));
  try {
    for (const [name, content] of Object.entries(members)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), content);
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of create({ gzip: true, cwd: folder }, Object.keys(members))) chunks.push(chunk);
    return Buffer.concat(chunks);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Bytes that do not compress. */
export function noise(bytes: number): Buffer {
  return randomBytes(bytes);
}

export function fileOf(name: string, content: Uint8Array, sources: ModelFile["sources"]): ModelFile {
  return { name, bytes: content.length, sha256: createHash("sha256").update(content).digest("hex"), sources };
}

export function modelOf(id: string, files: readonly ModelFile[], more: Partial<Model> = {}): Model {
  return {
    id,
    title: id,
    purpose: "testing",
    sets: [],
    files,
    licence: "Apache-2.0",
    attribution: "none",
    homepage: "https://example.org",
    ...more,
  };
}
