import { decodeMessagePack, MessagePackError, shapeError } from "@parlance/protocol";
import type { FastifyInstance } from "fastify";

export const MESSAGE_PACK_TYPES: readonly string[] = [
  "application/msgpack",
  "application/x-msgpack",
  "application/vnd.msgpack",
];

const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** JSON and MessagePack, and nothing else: other content types answer 415. */
export function addBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, async (_request: unknown, body: Buffer) =>
    parseJson(body),
  );
  app.addContentTypeParser([...MESSAGE_PACK_TYPES], { parseAs: "buffer" }, async (_request: unknown, body: Buffer) =>
    parseMessagePack(body),
  );
}

export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(strictUtf8.decode(body));
  } catch (error) {
    throw unparsable("json_invalid", `Not valid JSON: ${reason(error)}`);
  }
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

/** V8 quotes the input in its message; where it went wrong is enough, and keeps the text out of our answer. */
function reason(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  return /at position \d+/.exec(message)?.[0] ?? (message.includes("end of JSON") ? "it ends too early" : "unreadable");
}

function unparsable(type: string, msg: string) {
  return shapeError([{ loc: ["body"], type, msg, in: "body" }]);
}
