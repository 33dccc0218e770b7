import type { EngineVoice, SynthesisOptions } from "../engines/engine.ts";
import type { SpeechChunk } from "../text/types.ts";

/** One chunk to be spoken. */
export interface SpeechJob {
  readonly chunk: SpeechChunk;
  readonly voice: EngineVoice;
  readonly options: SynthesisOptions;
  /** Seconds of audio that the listener already has: who has the least to play is served first. */
  readonly ahead: number;
}

/** To a worker process. A worker makes a part only for credit, so a slow listener holds nothing but itself up. */
export type ToWorker<Spec, Job> =
  | { readonly type: "load"; readonly spec: Spec }
  | { readonly type: "start"; readonly id: number; readonly job: Job; readonly credit: number }
  | { readonly type: "credit"; readonly id: number }
  | { readonly type: "cancel"; readonly id: number }
  /** Asks for an `alive`. */
  | { readonly type: "ping" };

/** When a worker computed, by a clock that all processes of the machine share. */
export interface WorkTime {
  /** Milliseconds since 1970, with fractions. */
  readonly from: number;
  readonly to: number;
}

/** From a worker process. One that works long without giving anything says now and then that it is alive, and so it does when asked. */
export type FromWorker<Part, Ready> =
  | { readonly type: "ready"; readonly about: Ready }
  | { readonly type: "part"; readonly id: number; readonly part: Part; readonly work: WorkTime }
  | { readonly type: "end"; readonly id: number; readonly work: WorkTime }
  | { readonly type: "error"; readonly id: number; readonly message: string }
  | { readonly type: "alive" }
  | { readonly type: "unloadable"; readonly message: string };
