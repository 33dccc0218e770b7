import type { Assign, Assignment } from "../assign.ts";
import type { RecognitionWorkers } from "../recognition-pool.ts";
import type { FrameDecoder } from "./frame-decoder.ts";

/** What a stream needs of the service. */
export interface ListenerParts {
  readonly workers: RecognitionWorkers;
  readonly assign: Assign;
  readonly decoder: FrameDecoder;
  /** The share of a worker that the stream may use for text that is not final. */
  readonly share: () => number;
  /** What the stream has cost since the last call. */
  readonly onCost: (cost: StreamCost) => void;
  /** The stream has ended, however. */
  readonly onEnd: () => void;
  /** Milliseconds. */
  readonly now?: () => number;
}

export interface StreamCost {
  readonly engine: Assignment["engine"] | undefined;
  readonly busySeconds: number;
  readonly audioSeconds: number;
}
