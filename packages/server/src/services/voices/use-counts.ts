import type { Store } from "../../stores/store.ts";

/** How often voices are spoken with. Written now and then: no request waits for it. */
export interface VoiceCounts {
  add(voiceId: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_MS = 5_000;
/** Different voices that may wait to be written. */
const MAX_PENDING_SIZE = 10_000;

export function createVoiceCounts(
  store: Pick<Store, "transaction">,
  onFault: (error: unknown) => void,
  flushMs = FLUSH_MS,
): VoiceCounts {
  let waiting = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const counts = waiting;
    if (counts.size === 0) return;
    waiting = new Map();
    try {
      await store.transaction((records) => records.voices.addTasks(counts));
    } catch (error) {
      // A count that is a little low hurts nobody.
      onFault(error);
    }
  };
  const flush = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };
  return {
    add(voiceId) {
      if (waiting.size >= MAX_PENDING_SIZE && !waiting.has(voiceId)) return;
      waiting.set(voiceId, (waiting.get(voiceId) ?? 0) + 1);
      timer ??= setTimeout(() => void flush(), flushMs).unref();
    },
    flush,
    close: flush,
  };
}
