import { type ApiError, apiError, countCharacters, LIMITS, type TimestampFields } from "@parlance/protocol";
import { asApiError } from "../../../http/errors.ts";
import { errorBodyIn } from "../../error-body.ts";
import { applyBackpressure } from "../../fish/live/backpressure.ts";
import { CLOSE, FAULT_REASONS, type LiveSocket, sendData } from "../../fish/live/live-socket.ts";
import { createRound, type Round } from "../../fish/live/round.ts";
import { createRoundRate } from "../../fish/live/round-rate.ts";
import type { SessionOptions, SessionParts } from "../../fish/live/session-parts.ts";
import { createSessionSlot, type SessionSlot } from "../../fish/live/session-slot.ts";
import { watchClosing } from "../../fish/live/socket-closing.ts";
import { performRound } from "../../fish/live/socket-round.ts";
import { speechModel } from "../../model-choice.ts";
import { elevenlabs } from "../elevenlabs.ts";
import { parseOutputFormat } from "../output-format.ts";
import { nativeBody } from "../speech-body.ts";
import { type ClientMessage, parseMessage } from "./messages.ts";
import type { SocketQuery } from "./socket-query.ts";
import { createSocketTimes } from "./socket-times.ts";

export interface ContextOptions {
  readonly voice: string;
  /** Several texts at a time, each with the id of its context. */
  readonly isMulti: boolean;
  /** The options in the address. Throws when they are wrong. */
  readonly read: () => SocketQuery;
}

/** Texts that a socket may have open at a time. */
const MAX_CONTEXTS = 5;

/** Speaks the texts of a socket. Each context is a round of its own, with its own slot while it speaks. */
export function openContexts(
  socket: LiveSocket,
  parts: SessionParts,
  options: SessionOptions,
  { voice, isMulti, read }: ContextOptions,
): void {
  const { activeRequests, readerTimeoutMs } = parts;
  const { signal, close, fail } = watchClosing(socket, parts, options, {
    onEnd(reason) {
      clearTimeout(idle);
      for (const { controller, input } of contexts.values()) {
        controller.abort(reason);
        input.close();
      }
      void firstSlot?.release();
    },
    drain: endAll,
    sendError: (error) => socket.send(JSON.stringify(errorMessage(error)), () => {}),
  });
  const contexts = new Map<string, Round>();
  const rate = createRoundRate();
  let firstSlot: SessionSlot | undefined = createSessionSlot(options.slot, activeRequests, closeIfDone);
  let isEnding = false;
  let query: SocketQuery | undefined;
  const idle = setTimeout(onIdle, parts.idleMs);

  function onIdle(): void {
    if (contexts.size === 0) close(CLOSE.normal);
    else idle.refresh();
  }

  /** No text is open, and no more will come. */
  function closeIfDone(): void {
    if (contexts.size > 0) return;
    if (isEnding) close(CLOSE.normal);
    else if (activeRequests.draining) close(CLOSE.goingAway);
  }

  function updateBackpressure(): void {
    if (signal.aborted) return;
    let size = 0;
    for (const { input } of contexts.values()) size += input.size;
    applyBackpressure(socket, size);
  }

  function onMessage(data: unknown, isBinary: boolean): void {
    if (signal.aborted) return;
    idle.refresh();
    const unreadable = (code: number, reason = ""): void => fail(code, apiError("unreadable_frame", { reason }));
    if (isBinary || !(data instanceof Buffer)) unreadable(CLOSE.notBinary, "messages are JSON in text frames");
    else if (data.length > LIMITS.liveFrameBytes) unreadable(CLOSE.tooLarge, FAULT_REASONS[CLOSE.tooLarge]);
    else takeMessage(data);
    updateBackpressure();
  }

  function takeMessage(data: Buffer): void {
    try {
      const message = parseMessage(data);
      // An empty text ends a socket with one text, and keeps a context of another one open.
      if (message.close_socket === true || (!isMulti && message.text === "")) endAll();
      else take(message);
    } catch (error) {
      fail(CLOSE.refused, asApiError(error));
    }
  }

  function take(message: ClientMessage): void {
    const id = isMulti ? (message.context_id ?? "") : "";
    const { text } = message;
    let round = contexts.get(id);
    if (text != null && text !== "") {
      round ??= openContext(id, message);
      const limit = parts.synthesis.rules().maxTextCharacters;
      const length = countCharacters(text);
      if (length > limit) throw apiError("text_too_long", { length, limit });
      // The first message opens the context with a space.
      if (text.trim() !== "" || round.input.startedAt !== undefined) round.input.push(text);
    }
    if (message.flush === true) round?.input.flush();
    if (message.close_context === true) round?.input.end();
  }

  function endAll(): void {
    isEnding = true;
    for (const { input } of contexts.values()) input.end();
    closeIfDone();
  }

  function openContext(id: string, { voice_settings: settings }: ClientMessage): Round {
    if (contexts.size >= MAX_CONTEXTS) {
      const allowed = `at most ${MAX_CONTEXTS} contexts may be open on a socket`;
      throw apiError("invalid_value", { field: "context_id", value: "one more", allowed });
    }
    query ??= read();
    const { bitrates, ...output } = parseOutputFormat(query.output_format);
    const given = { ...query, text: "", voice_settings: settings ?? undefined };
    const round = createRound(nativeBody(voice, given, output), updateBackpressure);
    contexts.set(id, round);
    const model = speechModel(query.model_id ?? "", parts.synthesis.rules()).name;
    void speak(id, round, { model, bitrates });
    return round;
  }

  async function speak(
    id: string,
    round: Round,
    request: Pick<Parameters<typeof performRound>[3], "model" | "bitrates">,
  ): Promise<void> {
    const slot = firstSlot ?? createSessionSlot(undefined, activeRequests, closeIfDone);
    firstSlot = undefined;
    const context = isMulti ? { contextId: id } : {};
    const timesOf = createSocketTimes();
    let hasAudio = false;
    const sendAudio = (bytes: Uint8Array, fields: TimestampFields | undefined): Promise<void> => {
      hasAudio ||= bytes.length > 0;
      idle.refresh();
      const alignment = timesOf(fields);
      const audio = Buffer.from(bytes).toString("base64");
      return sendJson({ audio, isFinal: null, alignment, normalizedAlignment: alignment, ...context });
    };
    const fault = await performRound(round, parts, options, {
      ...request,
      dialect: elevenlabs.name,
      withTimestamps: true,
      slot,
      closed: signal,
      onIdle: slot.idle,
      send: sendAudio,
    });
    // Before the client is notified: it may start again at once.
    await slot.release();
    contexts.delete(id);
    updateBackpressure();
    if (signal.aborted) return;
    if (fault !== undefined && !isMulti) fail(CLOSE.refused, fault);
    const last = fault === undefined ? { isFinal: true, ...context } : { ...errorMessage(fault), ...context };
    await sendJson(last).catch(() => {});
    if (!rate.ended(hasAudio)) fail(CLOSE.refused, apiError("too_many_rounds", {}));
    if (!isMulti) isEnding = true;
    closeIfDone();
  }

  function sendJson(message: object): Promise<void> {
    return sendData(socket, JSON.stringify(message), signal, readerTimeoutMs);
  }

  socket.on("message", onMessage);
}

/** With the names of fields of this dialect, as an error over HTTP has them. */
export function errorMessage(error: ApiError): object {
  const named = errorBodyIn({ ...elevenlabs, errorBody: ({ message }) => message }, error);
  return { message: named, error: error.code, code: CLOSE.refused };
}
