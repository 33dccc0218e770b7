import type { Ids } from "../live/ids.ts";
import type { History } from "./history.ts";
import { type CallItem, itemToWire, type MessageItem } from "./items.ts";

/** What the outputs of a response need. */
export interface OutputContext {
  readonly ids: Ids;
  readonly responseId: string;
  /** Where the items of the response are added. */
  readonly history: History;
  /** Whether they are part of the conversation that the client sees. */
  readonly isInConversation: boolean;
  /** Resolves when the messages have left. */
  readonly send: (messages: readonly object[]) => Promise<void>;
}

/** The messages that all kinds of items of a response have. */
export interface ResponseOutput {
  /** A message with the place of this output. */
  message(type: string, fields: object): object;
  readonly added: readonly object[];
  done(status: "completed" | "incomplete"): readonly object[];
}

/** Adds an item to the history. */
export function addOutput(
  { ids, responseId, history, isInConversation }: OutputContext,
  index: number,
  item: MessageItem | CallItem,
): ResponseOutput {
  const previous = history.add(item);
  const place = { response_id: responseId, output_index: index };
  const inConversation = (kind: string): readonly object[] =>
    isInConversation
      ? [ids.message(`conversation.item.${kind}`, { previous_item_id: previous, item: itemToWire(item) })]
      : [];
  const ofResponse = (kind: string): object =>
    ids.message(`response.output_item.${kind}`, { ...place, item: itemToWire(item) });
  return {
    message: (type, fields) => ids.message(type, { ...place, item_id: item.id, ...fields }),
    added: [ofResponse("added"), ...inConversation("added")],
    done(status) {
      item.status = status;
      return [...inConversation("done"), ofResponse("done")];
    },
  };
}
