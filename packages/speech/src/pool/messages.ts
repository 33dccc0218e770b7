import type { EngineVoice, SynthesisOptions } from "../engines/engine.ts";
import type { SpeechChunk } from "../text/types.ts";

/** One chunk to synthesize. */
export interface SpeechJob {
  readonly chunk: SpeechChunk;
  readonly voice: EngineVoice;
  readonly options: SynthesisOptions;
  /** Seconds of audio that the client already has: the stream with the least is served first. */
  readonly ahead: number;
  /** The first chunk of its stream: a machine without room refuses it. */
  readonly first?: boolean | undefined;
}

/** To a worker process. A worker makes a part only when it has credit for it, so a slow client delays no other stream. */
export type ToWorker<Spec, Job> =
  | { readonly type: "load"; readonly spec: Spec }
  | {
      readonly type: "start";
      readonly id: number;
      readonly job: Job;
      readonly credit: number;
      /** It does not wait for the jobs that were started before. */
      readonly beside?: true;
      /** A client waits for it: it runs at normal priority. */
      readonly urgent?: true;
    }
  | { readonly type: "credit"; readonly id: number }
  | { readonly type: "cancel"; readonly id: number }
  /** Requests an `alive`. */
  | { readonly type: "ping" };

/** When a worker computed. */
export interface WorkTime {
  /** Milliseconds since 1970, with fractions. */
  readonly from: number;
  readonly to: number;
  /** What of it counts as work, by `busyTime`; all of it where that is not measured. */
  readonly busyMs?: number;
}

/** From a worker process. It sends `alive` at intervals during long computations, and in answer to a ping. */
export type FromWorker<Part, Ready> =
  | { readonly type: "ready"; readonly about: Ready }
  | { readonly type: "part"; readonly id: number; readonly part: Part; readonly work: WorkTime }
  | { readonly type: "end"; readonly id: number; readonly work: WorkTime }
  | { readonly type: "error"; readonly id: number; readonly message: string }
  | { readonly type: "alive" }
  | { readonly type: "unloadable"; readonly message: string };
