import type { AudioErrorCode } from "../../errors.ts";
import type { CpuBudget } from "./cpu-budget.ts";
import type { DecodedAudio, DecodeLimits } from "./decode-file.ts";

/** To a decoder process: one file at a time. */
export interface DecodeJob {
  readonly source: string;
  readonly target: string;
  readonly limits: DecodeLimits;
  /** The limit of the process's resident memory. Exceeding it ends the process. */
  readonly memoryMb: number;
  /** Exceeding it ends the process too. */
  readonly cpu: CpuBudget;
}

/** From a decoder process. `rssMb` is its resident memory after the file. */
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
  /** Not caused by the content of the file: it does not exist, or the disk is full. */
  | { readonly type: "failed"; readonly message: string };
