import { setImmediate as nextStream } from "node:timers/promises";
import {
  createJsonBoundsCheck,
  decodeMessagePack,
  type JsonBounds,
  JsonBoundsError,
  MessagePackError,
  shapeError,
} from "@parlance/protocol";
import type { FastifyInstance } from "fastify";
import { PIECE_BYTES, parseJsonPieces } from "./json-pieces.ts";

export const MESSAGE_PACK_TYPES: readonly string[] = [
  "application/msgpack",
  "application/x-msgpack",
  "application/vnd.msgpack",
];

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** Accepts JSON and MessagePack. Other content types get a 415. */
export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  addJsonParser(app);
  app.addContentTypeParser([...MESSAGE_PACK_TYPES], { parseAs: "buffer" }, async (_request: unknown, body: Buffer) =>
    body.length <= LARGE_BODY_BYTES ? parseMessagePack(body) : parseInTurn(async () => parseMessagePack(body)),
  );
}

function addJsonParser(app: FastifyInstance, bounds?: JsonBounds): void {
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_request: unknown, body: Buffer) =>
    parseJson(body, bounds),
  );
}

/** For routes whose bodies have more structure than others. */
export function widenJsonBounds(scope: FastifyInstance, bounds: JsonBounds): void {
  scope.removeContentTypeParser("application/json");
  addJsonParser(scope, bounds);
}

/** Bodies above this are parsed one at a time, and other requests are served between two of them. */
const LARGE_BODY_BYTES = 64 * 1024;

export async function parseJson(body: Buffer, bounds?: JsonBounds): Promise<unknown> {
  try {
    if (body.length <= LARGE_BODY_BYTES) {
      for (const _ of scanJson(body, bounds));
      return JSON.parse(strictUtf8.decode(body));
    }
    return await parseInTurn(async () => {
      for (const _ of scanJson(body, bounds)) await nextStream();
      const pieces = parseJsonPieces(body);
      for (;;) {
        const { done, value } = pieces.next();
        if (done === true) return value;
        await nextStream();
      }
    });
  } catch (error) {
    throw unparsable("json_invalid", `Not valid JSON: ${reason(error)}`);
  }
}

/** Throws where the body has more structure than any request. Yields now and then. */
function* scanJson(body: Buffer, bounds: JsonBounds | undefined): Generator<void> {
  const check = createJsonBoundsCheck(bounds);
  for (let at = 0; at < body.length; at += PIECE_BYTES) {
    check.push(body.subarray(at, at + PIECE_BYTES));
    yield;
  }
  check.end();
}

let lastParse: Promise<unknown> = Promise.resolve();

function parseInTurn<Value>(parse: () => Promise<Value>): Promise<Value> {
  const parsed = lastParse.then(() => nextStream()).then(parse);
  lastParse = parsed.catch(() => {});
  return parsed;
}

function parseMessagePack(body: Buffer): unknown {
  try {
    return decodeMessagePack(body);
  } catch (error) {
    if (error instanceof MessagePackError) {
      throw unparsable("msgpack_invalid", `Not valid MessagePack: ${error.message}`);
    }
    throw error;
  }
}

/** V8 quotes the input in its message; the position is enough, and keeps the text out of the response. */
function reason(error: unknown): string {
  if (error instanceof JsonBoundsError) return error.message;
  const message = error instanceof Error ? error.message : "";
  return /at position \d+/.exec(message)?.[0] ?? (message.includes("end of JSON") ? "it ends too early" : "unreadable");
}

function unparsable(type: string, msg: string) {
  return shapeError([{ loc: ["body"], type, msg, in: "body" }]);
}
