import { setImmediate as nextTurn } from "node:timers/promises";
import { apiError, LIMITS, SSML_IGNORED_HEADER, SSML_TYPE, shapeError, ssmlBody, ssmlQuery } from "@parlance/protocol";
import { createSsmlReader, SsmlError, type SsmlSpeech } from "@parlance/protocol/ssml";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { parseQuery } from "../../../http/request-input.ts";

/** A body that was SSML. */
class SsmlDocument {
  readonly speech: SsmlSpeech;

  constructor(speech: SsmlSpeech) {
    this.speech = speech;
  }
}

/** How much of a document is read before other requests are served. */
const CHARACTERS_PER_TURN = 16 * 1024;
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** Lets the routes of a scope take SSML. */
export function addSsmlParser(scope: FastifyInstance): void {
  scope.addContentTypeParser(SSML_TYPE, { parseAs: "buffer" }, async (_request: unknown, body: Buffer) => {
    if (body.length > LIMITS.ssml.bytes) throw apiError("payload_too_large", { limit: LIMITS.ssml.bytes });
    return new SsmlDocument(await readInTurns(body));
  });
}

async function readInTurns(body: Buffer): Promise<SsmlSpeech> {
  try {
    const document = strictUtf8.decode(body);
    const reader = createSsmlReader();
    for (let at = 0; at < document.length; at += CHARACTERS_PER_TURN) {
      if (at > 0) await nextTurn();
      reader.push(document.slice(at, at + CHARACTERS_PER_TURN));
    }
    return reader.end();
  } catch (error) {
    const reason = error instanceof SsmlError ? error.message : "it is not UTF-8";
    throw shapeError([{ loc: ["body"], type: "ssml_invalid", msg: `Not valid SSML: ${reason}`, in: "body" }]);
  }
}

export interface SpeechInput {
  readonly model: string | undefined;
  readonly body: unknown;
}

/** The request for speech, from JSON, MessagePack or SSML. */
export function speechInput(request: FastifyRequest, reply: FastifyReply): SpeechInput {
  const { body, headers } = request;
  const model = typeof headers.model === "string" ? headers.model : undefined;
  if (!(body instanceof SsmlDocument)) return { model, body };
  const { model: named, ...query } = parseQuery(ssmlQuery, request);
  const { ignored } = body.speech;
  if (ignored.length > 0) reply.header(SSML_IGNORED_HEADER, ignored.map(encodeURI).join(", "));
  return { model: model ?? named, body: ssmlBody(body.speech, query) };
}
