import type { FastifyReply, FastifyRequest } from "fastify";
import { recordFault } from "./errors.ts";
import { openResponseStream } from "./response-stream.ts";
import { settlesWithin } from "./timeouts.ts";

export interface SlowResponseOptions {
  /** Aborting it ends the work. */
  readonly controller: AbortController;
  /** How long the reader may take nothing at all. */
  readonly readerTimeoutMs: number;
  /** How often the client gets a sign that its request is being worked on. */
  readonly keepAliveMs?: number | undefined;
  /** How events state an error. Without it, the connection ends. */
  readonly errorBytes?: (error: unknown) => Uint8Array;
}

/** How the response of a format begins while the work is not done. */
export interface SlowFormat {
  readonly type: string;
  /** The beginning of every text in this format. */
  readonly opening?: string;
  /** What readers of this format ignore there. */
  readonly blank: string;
}

const JSON_FORMAT: SlowFormat = { type: "application/json; charset=utf-8", blank: " " };
/** A comment. */
const BLANK_EVENT = Buffer.from(":\n\n");
/** Well below the five minutes after which many clients give up, and the minute of some proxies. */
const KEEP_ALIVE_MS = 25_000;
/** For the next byte. The work has a limit of its own. */
const BYTE_TIMEOUT_MS = 900_000;

/**
 * Sends the result of work that may take minutes. After a while the response begins with what its format ignores, so that
 * clients and proxies with a timeout wait for the rest. An error after that can only end the connection.
 */
export async function sendSlowText(
  request: FastifyRequest,
  reply: FastifyReply,
  work: Promise<string>,
  { type, opening = "", blank }: SlowFormat,
  options: SlowResponseOptions,
): Promise<FastifyReply> {
  const { controller, keepAliveMs = KEEP_ALIVE_MS } = options;
  if (await settlesWithin(work, controller.signal, keepAliveMs)) {
    // Awaited first: an error has a type of its own.
    const text = await work;
    return reply.type(type).send(text);
  }
  async function* text(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(opening + blank);
    yield Buffer.from((await work).slice(opening.length));
  }
  return sendStream(request, reply.type(type), text(), Buffer.from(blank), options);
}

export const sendSlowJson = (
  request: FastifyRequest,
  reply: FastifyReply,
  work: Promise<object>,
  options: SlowResponseOptions,
): Promise<FastifyReply> =>
  sendSlowText(
    request,
    reply,
    work.then((body) => JSON.stringify(body)),
    JSON_FORMAT,
    options,
  );

/** Sends server-sent events, between which minutes may pass. */
export const sendSlowEvents = (
  request: FastifyRequest,
  reply: FastifyReply,
  events: AsyncGenerator<Uint8Array>,
  options: SlowResponseOptions,
): Promise<FastifyReply> => sendStream(request, reply, events, BLANK_EVENT, options);

async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  parts: AsyncGenerator<Uint8Array>,
  blank: Uint8Array,
  { controller, readerTimeoutMs, keepAliveMs = KEEP_ALIVE_MS, errorBytes }: SlowResponseOptions,
): Promise<FastifyReply> {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const part = parts.next();
      while (!(await settlesWithin(part, controller.signal, keepAliveMs))) yield blank;
      const { done, value } = await part;
      if (done === true) return;
      yield value;
    }
  }
  const stream = await openResponseStream(bytes(), {
    controller,
    readerTimeoutMs,
    engineTimeoutMs: BYTE_TIMEOUT_MS,
    onEnd: async () => request.slot?.release(),
    onFault: recordFault(request),
    errorBytes,
  });
  return reply.send(stream);
}
