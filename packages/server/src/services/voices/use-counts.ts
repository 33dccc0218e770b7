import type { Store } from "../../stores/store.ts";

/** Counts how often each voice is used. Written in the background. */
export interface VoiceUseCounts {
  add(voiceId: string): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_MS = 5_000;
/** Distinct voices whose counts wait to be written. */
const MAX_WAITING = 10_000;

export function createVoiceUseCounts(
  store: Pick<Store, "transaction">,
  onFault: (error: unknown) => void,
  flushMs = FLUSH_MS,
): VoiceUseCounts {
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
      await store.transaction((records) => records.voices.addUses(counts));
    } catch (error) {
      // The counts are lost: they only sort lists.
      onFault(error);
    }
  };
  const flush = (): Promise<void> => {
    writing = writing.then(write);
    return writing;
  };
  return {
    add(voiceId) {
      if (waiting.size >= MAX_WAITING && !waiting.has(voiceId)) return;
      waiting.set(voiceId, (waiting.get(voiceId) ?? 0) + 1);
      timer ??= setTimeout(() => void flush(), flushMs).unref();
    },
    flush,
    close: flush,
  };
}
