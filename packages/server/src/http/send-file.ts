import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

export interface FileResponse {
  readonly bytes: Buffer;
  readonly type: string;
}

/** One hour, so that a deleted file does not stay in caches for long. */
const CACHING = "private, max-age=3600";

/**
 * A file that a browser plays or shows. Players request ranges of it. Its content cannot run: no
 * script runs in it, and its type is not guessed.
 */
export function sendFile(request: FastifyRequest, reply: FastifyReply, { bytes, type }: FileResponse): FastifyReply {
  const etag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
  reply.headers({
    etag,
    "cache-control": CACHING,
    vary: "authorization, cookie",
    "accept-ranges": "bytes",
    "content-security-policy": "default-src 'none'; sandbox",
    "cross-origin-resource-policy": "same-origin",
  });
  if (request.headers["if-none-match"] === etag) return reply.code(304).send();
  const { range } = request.headers;
  const selected = range === undefined ? "all" : parseRange(range, bytes.length);
  if (selected === "all") return reply.type(type).send(bytes);
  if (selected === undefined) return reply.code(416).header("content-range", `bytes */${bytes.length}`).send();
  const { from, to } = selected;
  return reply
    .code(206)
    .type(type)
    .header("content-range", `bytes ${from}-${to - 1}/${bytes.length}`)
    .send(bytes.subarray(from, to));
}

/** One range of bytes. Several ranges and other units get the whole file. */
function parseRange(range: string, size: number): { readonly from: number; readonly to: number } | "all" | undefined {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range.trim()) ?? [];
  if (first === "" && last === "") return "all";
  const from = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const to = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  return from < to ? { from, to } : undefined;
}
