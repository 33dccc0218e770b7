import type { EngineVoice, SpeechWindow, SynthesisOptions } from "../engines/engine.ts";
import type { EngineSpec } from "../engines/load.ts";
import type { SpeechChunk } from "../text/types.ts";

/** One chunk to be spoken. */
export interface SpeechJob {
  readonly chunk: SpeechChunk;
  readonly voice: EngineVoice;
  readonly options: SynthesisOptions;
  /** Seconds of audio that the listener already has: who has the least to play is served first. */
  readonly ahead: number;
}

/** To a worker process. A worker makes a window only for credit, so a slow listener holds nothing but itself up. */
export type ToWorker =
  | { readonly type: "load"; readonly spec: EngineSpec }
  | { readonly type: "start"; readonly id: number; readonly job: SpeechJob; readonly credit: number }
  | { readonly type: "credit"; readonly id: number }
  | { readonly type: "cancel"; readonly id: number };

/** From a worker process. */
export type FromWorker =
  | { readonly type: "ready"; readonly sampleRate: number }
  | { readonly type: "window"; readonly id: number; readonly window: SpeechWindow }
  | { readonly type: "end"; readonly id: number }
  | { readonly type: "error"; readonly id: number; readonly message: string }
  | { readonly type: "unloadable"; readonly message: string };
