import type { ChunkMetrics, EngineName } from "@parlance/speech";

export type WorkerKind = EngineName | "recognition" | "cloning";

/** A finished transcription. */
export interface TranscriptionMetrics {
  readonly audioSeconds: number;
  /** From the end of decoding to the result, including the time in the queue. */
  readonly seconds: number;
}

export interface EngineListener {
  chunk?(metrics: ChunkMetrics): void;
  workerLost?(kind: WorkerKind): void;
  transcribed?(metrics: TranscriptionMetrics): void;
  /** Because of a fault of the service. */
  transcriptionFailed?(): void;
}

/** Connects the engines with metrics and health checks, which are created after them. */
export interface EngineEvents extends Required<EngineListener> {
  subscribe(listener: EngineListener): void;
}

export function createEngineEvents(): EngineEvents {
  const listeners: EngineListener[] = [];
  return {
    subscribe: (listener) => void listeners.push(listener),
    chunk(metrics) {
      for (const listener of listeners) listener.chunk?.(metrics);
    },
    workerLost(kind) {
      for (const listener of listeners) listener.workerLost?.(kind);
    },
    transcribed(metrics) {
      for (const listener of listeners) listener.transcribed?.(metrics);
    },
    transcriptionFailed() {
      for (const listener of listeners) listener.transcriptionFailed?.();
    },
  };
}
