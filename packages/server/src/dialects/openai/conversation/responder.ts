import { apiError, parseLiveStart } from "@parlance/protocol";
import type { LanguageModel } from "../../../services/conversation/chat.ts";
import { CLOSE } from "../../fish/live/live-socket.ts";
import { createRoundRate } from "../../fish/live/round-rate.ts";
import type { JsonSocketLink } from "../../listening/json-socket.ts";
import type { Ids } from "../live/ids.ts";
import type { EventOf } from "./client-events.ts";
import type { ConversationItems } from "./conversation-items.ts";
import { createHistory } from "./history.ts";
import { readItem } from "./items.ts";
import type { SpeakingParts } from "./message-output.ts";
import { type Response, startResponse } from "./response.ts";
import type { Cancellation } from "./response-wire.ts";
import { readAnswer, type SessionConfig } from "./session-config.ts";

export interface ResponderOptions extends Omit<SpeakingParts, "closed"> {
  readonly ids: Ids;
  readonly items: ConversationItems;
  readonly model: LanguageModel;
  readonly link: Pick<JsonSocketLink, "signal" | "fail" | "reply" | "sendAll">;
  readonly config: () => SessionConfig;
  /** Resolves when everything that was said so far is in the history. */
  readonly inputRecognized: () => Promise<void>;
  /** No response is active any more. */
  readonly onIdle: () => void;
}

/** Gives the answers of a conversation, one at a time. */
export interface Responder {
  /** Whether a response is active that was not cancelled. */
  readonly activeId: string | undefined;
  /** Throws for values that are not allowed. */
  respond(fields: NonNullable<EventOf<"response.create">["response"]>): void;
  cancel(reason: Cancellation): void;
  /** Barge-in: the answer ends here, and its item keeps only what was played. Returns the messages to send. */
  interrupt(): readonly object[];
}

export function createResponder(responder: ResponderOptions): Responder {
  const { ids, items, model, link, parts, options, slot } = responder;
  const rate = createRoundRate();
  let active: Response | undefined;
  /** The newest answer that is whole. The client may still play it. */
  let last: Response["message"];

  function onDone(response: Response, hasOutput: boolean): void {
    if (link.signal.aborted) return;
    if (response.message !== undefined && !response.isCancelled) last = response.message;
    for (const message of items.dropOldest()) link.reply(message);
    if (!rate.ended(hasOutput)) link.fail(CLOSE.refused, apiError("too_many_rounds", {}));
    if (active !== response) return;
    active = undefined;
    responder.onIdle();
  }

  return {
    get activeId() {
      return active === undefined || active.isCancelled ? undefined : active.id;
    },
    respond(fields) {
      const settings = readAnswer(responder.config(), fields);
      parseLiveStart(undefined, settings.speech, parts.synthesis.rules());
      const given = fields.input?.map((item) => readItem(item, () => ids.next("item")));
      const isInConversation = fields.conversation !== "none" && given === undefined;
      const response = startResponse({
        ids,
        responseId: ids.next("resp"),
        history: isInConversation ? items.history : createHistory(given ?? items.history.items),
        isInConversation,
        send: link.sendAll,
        parts,
        options,
        slot,
        closed: link.signal,
        model,
        settings,
        metadata: fields.metadata ?? null,
        ready: Promise.all([active?.done, responder.inputRecognized()]).then(() => {}),
      });
      active = response;
      void response.done.then((hasOutput) => onDone(response, hasOutput));
    },
    cancel: (reason) => active?.cancel(reason),
    interrupt() {
      active?.cancel("turn_detected");
      const { item, playback } = active?.message ?? last ?? {};
      const isPlayed = active === undefined && playback !== undefined && playback.played >= playback.total;
      last = undefined;
      if (item === undefined || playback === undefined || isPlayed) return [];
      return items.history.find(item.id) === item ? items.cut(item, playback.played) : [];
    },
  };
}
