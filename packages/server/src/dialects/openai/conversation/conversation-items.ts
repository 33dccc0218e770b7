import { RealtimeError } from "../live/errors.ts";
import type { Ids } from "../live/ids.ts";
import type { EventOf } from "./client-events.ts";
import { createHistory, type History } from "./history.ts";
import { type Item, itemToWire, type MessageItem, readItem } from "./items.ts";

/** The items that a client sees. Every change returns the messages that report it. */
export interface ConversationItems {
  readonly history: History;
  create(event: EventOf<"conversation.item.create">): readonly object[];
  retrieve(event: EventOf<"conversation.item.retrieve">): readonly object[];
  remove(event: EventOf<"conversation.item.delete">): readonly object[];
  /** The client says how much of an answer was played. */
  truncate(event: EventOf<"conversation.item.truncate">): readonly object[];
  /** A turn has ended whose text is still to come. */
  addTurn(id: string): readonly object[];
  completeTurn(id: string, transcript: string): readonly object[];
  /** Only this much of an answer was played. */
  cut(item: MessageItem, seconds: number): readonly object[];
  dropOldest(): readonly object[];
}

export function createConversationItems(ids: Ids): ConversationItems {
  const history = createHistory();

  function found(id: string): Item {
    const item = history.find(id);
    if (item !== undefined) return item;
    throw new RealtimeError("item_not_found", "item_id: there is no item with this id");
  }

  function message(kind: "added" | "done", item: Item): object {
    const index = history.items.indexOf(item);
    const fields = { previous_item_id: history.items[index - 1]?.id ?? null, item: itemToWire(item) };
    return ids.message(`conversation.item.${kind}`, fields);
  }

  const deleted = (id: string): object => ids.message("conversation.item.deleted", { item_id: id });
  const dropOldest = (): readonly object[] => history.trim().map(deleted);

  function cut(item: MessageItem, seconds: number): readonly object[] {
    item.playedSeconds = seconds;
    const fields = { item_id: item.id, content_index: 0, audio_end_ms: Math.round(seconds * 1000) };
    return [ids.message("conversation.item.truncated", fields)];
  }

  return {
    history,
    create({ item: fields, previous_item_id: after }) {
      const item = readItem(fields, () => ids.next("item"));
      history.add(item, after ?? undefined);
      return [message("added", item), message("done", item), ...dropOldest()];
    },
    retrieve: ({ item_id: id }) => [ids.message("conversation.item.retrieved", { item: itemToWire(found(id)) })],
    remove({ item_id: id }) {
      history.remove(found(id).id);
      return [deleted(id)];
    },
    truncate({ item_id: id, audio_end_ms: ms }) {
      const item = found(id);
      if (item.type === "message" && item.spoken !== undefined) return cut(item, ms / 1000);
      throw new RealtimeError("item_not_found", "item_id: only an answer that was spoken can be truncated");
    },
    addTurn(id) {
      const item: Item = { type: "message", id, role: "user", content: "input_audio", text: "", status: "in_progress" };
      history.add(item);
      return [message("added", item), ...dropOldest()];
    },
    completeTurn(id, transcript) {
      const item = history.find(id);
      if (item?.type !== "message") return [];
      [item.text, item.status] = [transcript, "completed"];
      return [message("done", item)];
    },
    cut,
    dropOldest,
  };
}
