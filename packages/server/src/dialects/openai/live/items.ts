import type { ListeningEvent } from "@parlance/speech";
import type { Ids } from "./ids.ts";

/** The turns of a stream as items of a conversation. */
export interface Items {
  messages(event: ListeningEvent): readonly object[];
  /** The client ends a turn. */
  commit(): void;
  /** The client does not want what it has sent so far. */
  clear(): void;
}

export interface ItemsOptions {
  readonly ids: Ids;
  /** Whether the server finds the ends of turns. */
  readonly isDetected: () => boolean;
  /** What a conversation makes of the items. */
  readonly conversation?: ItemsConversation;
}

export interface ItemsConversation {
  /** The last item before this one. */
  previous(): string | null;
  /** The speech of an item has ended, its text is still to come. Returns messages to send after that of the commit. */
  onCommitted(id: string): readonly object[];
  /** The text of an item is final. `byClient`: the client has ended the turn. */
  onCompleted(id: string, transcript: string, byClient: boolean): readonly object[];
}

interface Item {
  readonly id: string;
  readonly startedAt: number;
  /** Of the segments that are final, and of the words that will not change in the next one. */
  text: string;
  sent: number;
  isCommitted: boolean;
}

export function createItems({ ids, isDetected, conversation }: ItemsOptions): Items {
  let item: Item | undefined;
  let previous: string | null = null;
  /** What each flush of the client requests, in order. */
  const flushes: ("commit" | "clear")[] = [];
  const transcription = (kind: string, fields: object): object =>
    ids.message(`conversation.item.input_audio_transcription.${kind}`, {
      item_id: item?.id,
      content_index: 0,
      ...fields,
    });

  function begin(at: number): Item {
    item = { id: ids.next("item"), startedAt: at, text: "", sent: 0, isCommitted: false };
    return item;
  }

  /** Deltas are appended by the client, so only what will not change is sent. */
  function delta(of: Item, text: string): readonly object[] {
    const added = text.slice(of.sent);
    if (added === "") return [];
    of.sent = text.length;
    return [transcription("delta", { delta: added })];
  }

  function complete(at: number): readonly object[] {
    if (item === undefined) return [];
    const { id, text, startedAt } = item;
    const usage = { type: "duration", seconds: Math.round((at - startedAt) * 1000) / 1000 };
    const done = transcription("completed", { transcript: text, usage });
    previous = id;
    item = undefined;
    return [done, ...(conversation?.onCompleted(id, text, flushes.length > 0) ?? [])];
  }

  function committed(of: Item): readonly object[] {
    if (of.isCommitted) return [];
    of.isCommitted = true;
    const before = conversation === undefined ? previous : conversation.previous();
    const message = ids.message("input_audio_buffer.committed", { item_id: of.id, previous_item_id: before });
    return [message, ...(conversation?.onCommitted(of.id) ?? [])];
  }

  /** A turn of which nothing was understood ends with what comes after it. */
  function withoutText(event: ListeningEvent): readonly object[] {
    const isNext = event.type === "speech-started" || event.type === "flushed";
    return isNext && isDetected() ? complete(event.at) : [];
  }

  function messagesOf(event: ListeningEvent): readonly object[] {
    switch (event.type) {
      case "speech-started": {
        const { id } = begin(event.at);
        const audio_start_ms = Math.round(event.at * 1000);
        return isDetected() ? [ids.message("input_audio_buffer.speech_started", { item_id: id, audio_start_ms })] : [];
      }
      case "partial": {
        if (item === undefined) return [];
        const separator = item.text === "" ? "" : " ";
        const stable = event.words.slice(0, event.stable);
        const text = stable.map((word, index) => (index === 0 || word.joined ? word.text : ` ${word.text}`)).join("");
        return text === "" ? [] : delta(item, item.text + separator + text);
      }
      case "speech-stopped": {
        if (item === undefined) return [];
        const stopped = { item_id: item.id, audio_end_ms: Math.round(event.at * 1000) };
        if (!isDetected()) return [];
        return [ids.message("input_audio_buffer.speech_stopped", stopped), ...committed(item)];
      }
      case "final": {
        if (item === undefined) return [];
        item.text += (item.text === "" ? "" : " ") + event.text;
        const added = delta(item, item.text);
        return event.endsTurn && isDetected() ? [...added, ...complete(event.end)] : added;
      }
      case "flushed": {
        if (isDetected()) return [];
        return [...committed(item ?? begin(event.at)), ...complete(event.at)];
      }
    }
  }

  return {
    commit: () => void flushes.push("commit"),
    clear: () => void flushes.push("clear"),
    messages(event) {
      const isCleared = flushes[0] === "clear";
      if (isCleared) item = undefined;
      const messages = isCleared ? [] : [...withoutText(event), ...messagesOf(event)];
      if (event.type === "flushed") flushes.shift();
      return messages;
    },
  };
}
