import { parseLiveStart, parseShape } from "@parlance/protocol";
import type { ListeningEvent } from "@parlance/speech";
import { asApiError } from "../../../http/errors.ts";
import type { LanguageModel } from "../../../services/conversation/chat.ts";
import { CLOSE, type LiveSocket } from "../../fish/live/live-socket.ts";
import type { SessionOptions, SessionParts } from "../../fish/live/session-parts.ts";
import { createSessionSlot, type SessionSlot } from "../../fish/live/session-slot.ts";
import { openJsonSocket } from "../../listening/json-socket.ts";
import { withDefaultModel } from "../../model-choice.ts";
import { commitTooSmall, createErrors, RealtimeError, unknownEvent } from "../live/errors.ts";
import { createIds } from "../live/ids.ts";
import { createItems } from "../live/items.ts";
import { readSession } from "../live/session-settings.ts";
import { SPEED } from "../speech-body.ts";
import { anyClientEvent, CLIENT_EVENTS, type ClientEvent, type EventOf, isClientEvent } from "./client-events.ts";
import { createConversationItems } from "./conversation-items.ts";
import { createInputAudio } from "./input-audio.ts";
import { MESSAGE_BOUNDS } from "./limits.ts";
import { createResponder } from "./responder.ts";
import * as sessions from "./session-config.ts";

/** A conversation: turns are transcribed, the language model answers them, and its answers are spoken. */
export function openConversation(
  socket: LiveSocket,
  given: SessionParts,
  options: SessionOptions,
  model: LanguageModel,
): void {
  const parts = withRules(given);
  const ids = createIds(options.traceId);
  const errors = createErrors(ids);
  const items = createConversationItems(ids);
  const slot = createSessionSlot(options.slot, parts.activeRequests, () => {});
  let config = sessions.DEFAULT_SESSION;
  let isDraining = false;
  /** A turn has ended that the server answers by itself. */
  let isAnswerDue = false;

  const link = openJsonSocket(socket, parts, options, {
    onEnd: () => void slot.release(),
    drain() {
      isDraining = true;
      if (responder.activeId === undefined) link.close(CLOSE.goingAway);
    },
    onMessage,
    isFull: () => input.isFull,
    errorMessage: (error) => errors.of(error),
    bounds: MESSAGE_BOUNDS,
  });
  const input = createInputAudio({
    parts,
    options,
    slot: keptSlot(slot),
    closed: link.signal,
    read: () => listenRequest(config),
    onEvent: onListeningEvent,
    onFault: (fault) => link.fail(CLOSE.refused, fault),
  });
  const responder = createResponder({
    ids,
    items,
    model,
    link,
    parts,
    options,
    slot,
    config: () => config,
    inputRecognized: input.flushed,
    onIdle() {
      // Without audio coming in, nothing needs the slot between two answers.
      if (!input.isOpen) slot.idle();
      if (isDraining) link.close(CLOSE.goingAway);
    },
  });
  /** Of the stream that is open. */
  let turns = createTurns();

  function createTurns() {
    return createItems({
      ids,
      isDetected: () => sessions.readTurns(config).isDetected,
      conversation: {
        previous: () => items.history.items.at(-1)?.id ?? null,
        onCommitted: items.addTurn,
        onCompleted(id, transcript, byClient) {
          isAnswerDue = transcript !== "" && !byClient && sessions.readTurns(config).createsResponse;
          return items.completeTurn(id, transcript);
        },
      },
    });
  }

  const listenRequest = (of: sessions.SessionConfig) =>
    sessions.withPartials(readSession({ audio: of.audio ?? {} }, parts.transcription.rules()), of);

  async function onListeningEvent(event: ListeningEvent): Promise<void> {
    const { isDetected, interrupts } = sessions.readTurns(config);
    // Before anything is sent: what is still spoken must stop at once.
    const cut = event.type === "speech-started" && isDetected && interrupts ? responder.interrupt() : [];
    isAnswerDue = false;
    const messages = turns.messages(event);
    const isDue = isAnswerDue;
    await link.sendAll([...messages, ...cut]);
    if (isDue && responder.activeId === undefined) responder.respond({});
  }

  function onMessage(value: unknown): void {
    const { type, event_id: eventId } = parseShape(anyClientEvent, value, "body");
    const own = eventId ?? undefined;
    try {
      if (!isClientEvent(type)) throw unknownEvent(type);
      for (const message of take(parseShape(CLIENT_EVENTS[type], value, "body"))) link.reply(message);
    } catch (error) {
      // The conversation continues without the message.
      link.reply(error instanceof RealtimeError ? errors.of(error, own) : errors.of(asApiError(error), own));
    }
  }

  /** Returns the messages to answer with. */
  function take(event: ClientEvent): readonly object[] {
    switch (event.type) {
      case "session.update":
        return update(event);
      case "input_audio_buffer.append":
        input.push(Buffer.from(event.audio, "base64"));
        return [];
      case "input_audio_buffer.commit":
        if (!input.flush()) throw commitTooSmall();
        turns.commit();
        return [];
      case "input_audio_buffer.clear":
        if (input.flush()) turns.clear();
        return [ids.message("input_audio_buffer.cleared", {})];
      case "conversation.item.create":
        return items.create(event);
      case "conversation.item.retrieve":
        return items.retrieve(event);
      case "conversation.item.delete":
        return items.remove(event);
      case "conversation.item.truncate":
        return items.truncate(event);
      case "response.create": {
        const { activeId } = responder;
        const message = `The conversation already has an active response: ${activeId}. Wait until it is finished`;
        if (activeId !== undefined) throw new RealtimeError("conversation_already_has_active_response", message);
        responder.respond(event.response ?? {});
        return [];
      }
      case "response.cancel": {
        const { activeId } = responder;
        if (activeId === undefined || (event.response_id ?? activeId) !== activeId)
          throw new RealtimeError("response_cancel_not_active", "Cancellation failed: no active response found");
        responder.cancel("client_cancelled");
        return [];
      }
    }
  }

  function update({ session }: EventOf<"session.update">): readonly object[] {
    const next = sessions.mergeSession(config, session);
    // Throws for values that are not allowed, before anything has changed.
    parseLiveStart(undefined, sessions.readAnswer(next).speech, parts.synthesis.rules());
    listenRequest(next);
    config = next;
    if (input.update()) turns = createTurns();
    return [ids.message("session.updated", { session: sessionToWire() })];
  }

  const sessionToWire = () => ({ object: "realtime.session", id: `sess_${options.traceId}`, ...config });

  link.reply(ids.message("session.created", { session: sessionToWire() }));
}

/** Speech as OpenAI's clients ask for it: any name of a model, and their range of speeds. */
function withRules(parts: SessionParts): SessionParts {
  const { synthesis } = parts;
  const rules = () => ({ ...withDefaultModel(synthesis.rules()), speed: SPEED });
  return { ...parts, synthesis: { ...synthesis, rules } };
}

/** The slot of a conversation, which its streams share and do not release. */
function keptSlot(slot: SessionSlot): SessionSlot {
  return { take: slot.take, idle() {}, release: async () => {}, isHeld: true };
}
