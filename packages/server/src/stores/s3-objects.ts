import { createHash } from "node:crypto";
import { withSignals } from "@parlance/speech/signals";
import { AwsClient } from "aws4fetch";
import type { BlobSettings } from "../config/blobs.ts";
import { errorCode, errorMessage } from "../lib/error-code.ts";
import { NO_REDIRECTS } from "../lib/no-redirects.ts";
import { readBody } from "../lib/read-body.ts";
import { createSlots } from "../lib/slots.ts";
import { type ObjectStorage, ObjectStorageError } from "./object-storage.ts";

export interface S3Options {
  /** For one request with its retry. */
  readonly timeoutMs?: number;
  /** Keys in one page of a list. */
  readonly listed?: number;
}

interface S3Request {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly body?: Buffer;
  readonly type?: string;
}

const TIMEOUT_MS = 15_000;
const RETRY_MS = 200;
const MAX_RUNNING = 16;
const MAX_WAITING = 256;
/** Errors and lists are XML of at most 1000 short keys. */
const MAX_XML_BYTES = 2 ** 20;
/** Overwritten by each probe of each node. */
const PROBE_KEY = "probe";

/** Objects in a bucket of Amazon S3 or of a server with the same API. */
export function createS3Objects(
  settings: BlobSettings,
  { timeoutMs = TIMEOUT_MS, listed = 1000 }: S3Options = {},
): ObjectStorage {
  const { accessKeyId, secretAccessKey, sessionToken, region, prefix } = settings;
  const session = sessionToken === undefined ? {} : { sessionToken };
  const client = new AwsClient({ accessKeyId, secretAccessKey, ...session, region, service: "s3", retries: 0 });
  const base = bucketUrl(settings);
  const slots = createSlots({
    slots: MAX_RUNNING,
    maxWaiting: MAX_WAITING,
    onFull: () => new ObjectStorageError("too many requests to the object storage are waiting"),
  });

  /** All requests may be sent twice. The second one follows an answer that says so, or a broken connection. */
  async function send(path: string, { method, body, type }: S3Request, signal: AbortSignal): Promise<Response> {
    const headers = {
      "x-amz-content-sha256": createHash("sha256")
        .update(body ?? "")
        .digest("hex"),
      ...(type === undefined ? {} : { "content-type": type }),
    };
    for (let isLast = false; ; isLast = true) {
      try {
        const signed = await client.sign(`${base}${path}`, { method, headers });
        const sent = body === undefined ? {} : { body: new Uint8Array(body) };
        // Not `fetch(signed)`: the signal of such a request is also lost after a garbage collection.
        const answer = await fetch(signed.url, { method, headers: signed.headers, ...sent, ...NO_REDIRECTS, signal });
        if (isLast || !(answer.status >= 500 || answer.status === 429)) return answer;
        await answer.body?.cancel();
      } catch (error) {
        if (isLast || signal.aborted) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** The answer's body in bounded time and size. Undefined for 404. */
  function request(path: string, what: S3Request, maxBytes: number, signal: AbortSignal): Promise<Buffer | undefined> {
    return slots.run(async () => {
      const late = AbortSignal.timeout(timeoutMs);
      try {
        const [answer, bytes] = await withSignals([signal, late], async (ending) => {
          const received = await send(path, what, ending);
          return [received, await readBody(received, received.ok ? maxBytes : MAX_XML_BYTES)] as const;
        });
        if (bytes === undefined) throw new ObjectStorageError("the object storage sent more bytes than were stored");
        if (answer.ok) return bytes;
        const code = /<Code>(\w{1,100})<\/Code>/.exec(bytes.toString("utf8"))?.[1];
        if (answer.status === 404 && code !== "NoSuchBucket") return undefined;
        throw new ObjectStorageError(`the object storage answered ${answer.status}${code ? ` (${code})` : ""}`);
      } catch (error) {
        if (error instanceof ObjectStorageError) throw error;
        signal.throwIfAborted();
        const reason = late.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error);
        throw new ObjectStorageError(`the object storage cannot be reached: ${reason}`, error);
      }
    });
  }

  const put: ObjectStorage["put"] = async (key, { bytes, type }, signal) => {
    const done = await request(`/${prefix}${key}`, { method: "PUT", body: bytes, type }, MAX_XML_BYTES, signal);
    if (done === undefined) throw new ObjectStorageError("the object storage answered 404 to an upload");
  };
  return {
    put,
    get: (key, maxBytes, signal) => request(`/${prefix}${key}`, { method: "GET" }, maxBytes, signal),
    async remove(key, signal) {
      await request(`/${prefix}${key}`, { method: "DELETE" }, MAX_XML_BYTES, signal);
    },
    async *list(signal) {
      // By the last key instead of a token: every server knows that.
      for (let marker = ""; ; ) {
        const query = new URLSearchParams({ marker, "max-keys": String(listed), prefix });
        const xml = (await request(`/?${query}`, { method: "GET" }, MAX_XML_BYTES, signal))?.toString("utf8") ?? "";
        const keys = [...xml.matchAll(/<Key>([\w./-]+)<\/Key>/g)].map(([, key = ""]) => key);
        yield keys.map((key) => key.slice(prefix.length)).filter((key) => key !== PROBE_KEY);
        marker = keys.at(-1) ?? "";
        if (marker === "" || !xml.includes("<IsTruncated>true<")) return;
      }
    },
    ping: (signal) => put(PROBE_KEY, { bytes: Buffer.from("Parlance writes here.\n"), type: "text/plain" }, signal),
  };
}

/** Amazon requires the bucket in the host name; others have it in the path. */
function bucketUrl({ endpoint, bucket, region }: BlobSettings): string {
  if (endpoint === undefined) return `https://${bucket}.s3.${region}.amazonaws.com`;
  return `${endpoint.replace(/\/+$/, "")}/${bucket}`;
}

/** `fetch` hides the reason in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return errorCode(cause) ?? errorMessage(cause);
}
