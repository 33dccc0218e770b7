import type { AudioErrorCode } from "../../transcript.ts";
import type { DecodedAudio, DecodeLimits } from "./decode-file.ts";

/** To a decoder process: one file at a time. */
export interface DecodeJob {
  readonly source: string;
  readonly target: string;
  readonly limits: DecodeLimits;
  /** Of resident memory, the whole process's. More than that ends it. */
  readonly memoryMb: number;
}

/** From a decoder process. `rssMb`: what it holds when the file is done with. */
export type FromDecoder =
  | { readonly type: "ready" }
  | { readonly type: "decoded"; readonly audio: DecodedAudio; readonly rssMb: number }
  | {
      readonly type: "refused";
      readonly code: AudioErrorCode;
      readonly message: string;
      readonly seconds: number | undefined;
      readonly rssMb: number;
    }
  /** Not the file's fault: it is not there, the disk is full. */
  | { readonly type: "failed"; readonly message: string };
