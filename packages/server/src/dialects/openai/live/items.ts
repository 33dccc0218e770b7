import type { ListeningEvent } from "@parlance/speech";

/** The turns of a stream as items of a conversation. */
export interface Items {
  messages(event: ListeningEvent): readonly object[];
  /** The client ends a turn. */
  commit(): void;
  /** The client does not want what it has sent so far. */
  clear(): void;
  eventId(): string;
}

interface Item {
  readonly id: string;
  readonly startedAt: number;
  /** Of the segments that are final, and of the words that will not change in the next one. */
  text: string;
  sent: number;
}

export function createItems(traceId: string, isDetected: () => boolean): Items {
  let events = 0;
  let count = 0;
  let item: Item | undefined;
  let previous: string | null = null;
  /** What the client has asked for with each flush, in order. */
  const flushes: ("commit" | "clear")[] = [];
  const eventId = (): string => `event_${traceId}_${++events}`;
  const message = (type: string, fields: object): object => ({ type, event_id: eventId(), ...fields });
  const transcription = (kind: string, fields: object): object =>
    message(`conversation.item.input_audio_transcription.${kind}`, { item_id: item?.id, content_index: 0, ...fields });

  function begin(at: number): Item {
    item = { id: `item_${traceId}_${++count}`, startedAt: at, text: "", sent: 0 };
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
    const usage = { type: "duration", seconds: Math.round((at - item.startedAt) * 1000) / 1000 };
    const done = transcription("completed", { transcript: item.text, usage });
    previous = item.id;
    item = undefined;
    return [done];
  }

  const committed = (of: Item): object =>
    message("input_audio_buffer.committed", { item_id: of.id, previous_item_id: previous });

  function heard(event: ListeningEvent): readonly object[] {
    switch (event.type) {
      case "speech-started": {
        const { id } = begin(event.at);
        const audio_start_ms = Math.round(event.at * 1000);
        return isDetected() ? [message("input_audio_buffer.speech_started", { item_id: id, audio_start_ms })] : [];
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
        return [message("input_audio_buffer.speech_stopped", stopped), committed(item)];
      }
      case "final": {
        if (item === undefined) return [];
        item.text += (item.text === "" ? "" : " ") + event.text;
        const added = delta(item, item.text);
        return event.endsTurn && isDetected() ? [...added, ...complete(event.end)] : added;
      }
      case "flushed": {
        if (isDetected()) return [];
        const of = item ?? begin(event.at);
        return [committed(of), ...complete(event.at)];
      }
    }
  }

  return {
    eventId,
    commit: () => void flushes.push("commit"),
    clear: () => void flushes.push("clear"),
    messages(event) {
      const isCleared = flushes[0] === "clear";
      if (event.type === "flushed") flushes.shift();
      if (isCleared) {
        item = undefined;
        return [];
      }
      // A turn of which nothing was understood.
      const before = event.type === "speech-started" && item !== undefined ? complete(event.at) : [];
      return [...before, ...heard(event)];
    },
  };
}
