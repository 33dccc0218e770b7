import { open, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { errorCode } from "../lib/errors.ts";
import { ModelStoreError } from "./errors.ts";
import type { HttpClient, HttpResponse } from "./http-client.ts";
import { type Digest, describeMismatch, digestFile } from "./integrity.ts";
import { statusOf, TransientError, type Try, withRetries } from "./retry.ts";
import type { StoreTimeouts } from "./timeouts.ts";

export interface Download {
  readonly url: string;
  /** The path of the complete and checked file. */
  readonly target: string;
  readonly expected: Digest & { readonly bytes?: number };
  readonly http: HttpClient;
  readonly timeouts: StoreTimeouts;
  readonly signal: AbortSignal;
  readonly onBytes: (received: number, total: number | undefined) => void;
}

/** Stored beside a partial file, to decide whether its download can be resumed. */
interface PartialRecord {
  readonly digest: string;
  readonly etag: string | undefined;
}

/**
 * Downloads a file whose hash is known. An interrupted download is resumed, in this process or a later one. The target only
 * appears when it is complete and checked.
 */
export async function download(request: Download): Promise<void> {
  if (await isComplete(request)) return;
  try {
    await downloadOnce(request);
  } catch (error) {
    // It may have been damaged on the way: retry from the start.
    if (!(error instanceof ModelStoreError && error.code === "corrupt")) throw error;
    await downloadOnce(request);
  }
}

async function isComplete({ target, expected, signal }: Download): Promise<boolean> {
  try {
    return (await digestFile(target, expected.algorithm, signal)).hex === expected.hex;
  } catch (error) {
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

async function downloadOnce(request: Download): Promise<void> {
  const { url, target, expected, timeouts, signal } = request;
  const part = `${target}.part`;
  await withRetries(url, timeouts, signal, (current) => fetchRest(request, part, current));
  const got = await digestFile(part, expected.algorithm, signal);
  await rm(`${part}.json`, { force: true });
  if (got.hex !== expected.hex) {
    await rm(part, { force: true });
    throw new ModelStoreError("corrupt", `${basename(target)} from ${url}: ${describeMismatch(expected, got)}`);
  }
  await rename(part, target);
}

/** Appends the missing part of the file. Returns when the server has sent everything that it announced. */
async function fetchRest(request: Download, part: string, current: Try): Promise<void> {
  const { url, expected, http, onBytes } = request;
  const record = await readRecord(`${part}.json`);
  const have = record?.digest === expected.hex ? await sizeOf(part) : 0;
  const response = await openRest(http, url, have, record?.etag, current.signal);
  if (response === "nothing-left") return;
  const start = response.status === 206 ? rangeStart(response) : 0;
  if (start !== have && start !== 0) throw new TransientError(`the server answered with another range (from ${start})`);

  const announced = Number(response.headers.get("content-length") ?? Number.NaN);
  const total = Number.isFinite(announced) ? start + announced : expected.bytes;
  const file = await open(part, "a");
  try {
    // A server that ignores Range sends everything again.
    if (start === 0) await truncate(part, 0);
    const next: PartialRecord = { digest: expected.hex, etag: strongEtag(response) };
    await writeFile(`${part}.json`, JSON.stringify(next));
    let received = start;
    onBytes(received, total);
    for await (const chunk of response.body) {
      await file.write(chunk);
      received += chunk.length;
      current.onData();
      onBytes(received, total);
    }
    if (Number.isFinite(announced) && received < start + announced)
      throw new TransientError(`the connection ended after ${received} of ${start + announced} bytes`);
  } finally {
    await file.close();
  }
}

async function openRest(
  http: HttpClient,
  url: string,
  have: number,
  etag: string | undefined,
  signal: AbortSignal,
): Promise<HttpResponse | "nothing-left"> {
  // identity: a range refers to the bytes as they are sent.
  const headers: Record<string, string> = { "accept-encoding": "identity" };
  if (have > 0) headers.range = `bytes=${have}-`;
  if (have > 0 && etag !== undefined) headers["if-range"] = etag;
  try {
    return await http.get(url, headers, signal);
  } catch (error) {
    // 416: there is no further byte; the hash will show whether the file is complete.
    if (statusOf(error) === 416 && have > 0) return "nothing-left";
    throw error;
  }
}

function rangeStart(response: HttpResponse): number {
  const match = /^bytes (\d+)-/.exec(response.headers.get("content-range") ?? "");
  return match ? Number(match[1]) : Number.NaN;
}

function strongEtag(response: HttpResponse): string | undefined {
  const etag = response.headers.get("etag");
  return etag === null || etag.startsWith("W/") ? undefined : etag;
}

async function readRecord(path: string): Promise<PartialRecord | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, "utf8"));
    if (typeof value !== "object" || value === null || !("digest" in value)) return undefined;
    const etag = "etag" in value && typeof value.etag === "string" ? value.etag : undefined;
    return { digest: String(value.digest), etag };
  } catch {
    // Missing or incomplete: the partial file cannot be used.
    return undefined;
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}
