import type { MoonshineFiles } from "../engines/moonshine/moonshine.ts";
import type { HeardWord } from "../engines/recognizer.ts";
import type { LanguageGuess, WhisperFiles } from "../engines/whisper/whisper.ts";
import type { RecognizerName } from "../transcript.ts";
import type { Stretch } from "./spans.ts";
import type { Region } from "./speech-regions.ts";

/** What a worker process may need. It loads a model when a job first asks for it. */
export interface ListenerSpec {
  readonly threads: number;
  readonly silero: string;
  readonly moonshine?: MoonshineFiles | undefined;
  readonly whisper?: WhisperFiles | undefined;
}

/** All jobs are about a decoded file: mono, 16 bits, 16 kHz. */
export type ListenerJob =
  | { readonly type: "find"; readonly path: string; readonly region: Region }
  | { readonly type: "detect"; readonly path: string; readonly stretch: Stretch }
  | {
      readonly type: "write";
      readonly path: string;
      readonly stretch: Stretch;
      readonly engine: RecognizerName;
      readonly language: string;
    };

export type ListenerResult =
  | { readonly type: "found"; readonly probabilities: Float32Array; readonly levels: Float32Array }
  /** No guesses: nobody speaks. */
  | { readonly type: "detected"; readonly guesses: readonly LanguageGuess[] }
  /** Times are of the file. */
  | { readonly type: "written"; readonly words: readonly HeardWord[] };
