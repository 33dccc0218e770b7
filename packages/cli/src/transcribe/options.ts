import type { DEFAULT_ASR_MODEL, RecognizerModel } from "@parlance/protocol";

/** The options of `parlance transcribe`. */
export interface TranscribeOptions {
  readonly format?: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly language?: string;
  readonly words?: boolean;
  /** True, or how many people speak. */
  readonly speakers?: true | string;
  readonly model: typeof DEFAULT_ASR_MODEL | RecognizerModel;
  readonly local?: boolean;
  readonly server?: string;
  readonly key?: string;
}
