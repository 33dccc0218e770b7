import type { ChunkFigures, EngineName } from "@parlance/speech";

/** What engines do, and what becomes of their processes. */
export type WorkerKind = EngineName | "recognition" | "cloning";

/** A recording that was listened to. */
export interface TranscriptionFigures {
  readonly audioSeconds: number;
  /** From when it was decoded to when its text was there, the wait for its turn included. */
  readonly seconds: number;
}

export interface EngineListener {
  chunk?(figures: ChunkFigures): void;
  workerLost?(kind: WorkerKind): void;
  transcribed?(figures: TranscriptionFigures): void;
  /** By a fault of ours. */
  transcriptionFailed?(): void;
}

/** Engines are started before the app that counts and watches what they do: this is where the two meet. */
export interface EngineEvents extends Required<EngineListener> {
  listen(listener: EngineListener): void;
}

export function createEngineEvents(): EngineEvents {
  const listeners: EngineListener[] = [];
  return {
    listen: (listener) => void listeners.push(listener),
    chunk(figures) {
      for (const listener of listeners) listener.chunk?.(figures);
    },
    workerLost(kind) {
      for (const listener of listeners) listener.workerLost?.(kind);
    },
    transcribed(figures) {
      for (const listener of listeners) listener.transcribed?.(figures);
    },
    transcriptionFailed() {
      for (const listener of listeners) listener.transcriptionFailed?.();
    },
  };
}
