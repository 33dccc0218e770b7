import type { ModelFiles } from "../engines/descriptor.ts";
import type { LanguageGuess, RecognizedWord } from "../engines/recognizer.ts";
import type { RecognizerName } from "../engines/registry.ts";
import type { SpeechSpan } from "./spans.ts";
import type { Region } from "./speech-regions.ts";

/** The models that a worker process may need. It loads one when a job first needs it. */
export interface RecognitionSpec {
  readonly threads: number;
  /** Path of the voice activity model. */
  readonly silero: string;
  readonly recognizers: Readonly<Partial<Record<RecognizerName, ModelFiles>>>;
}

/** All jobs refer to a decoded file: mono, 16 bits, 16 kHz. */
export type RecognitionJob =
  | { readonly type: "detect-speech"; readonly path: string; readonly region: Region }
  | { readonly type: "detect-language"; readonly path: string; readonly span: SpeechSpan }
  | {
      readonly type: "transcribe";
      readonly path: string;
      readonly span: SpeechSpan;
      readonly engine: RecognizerName;
      readonly language: string;
    };

export type RecognitionResult =
  | { readonly type: "speech"; readonly probabilities: Float32Array; readonly levels: Float32Array }
  /** Without guesses: there is no speech. */
  | { readonly type: "language"; readonly guesses: readonly LanguageGuess[] }
  /** Times are relative to the file. */
  | { readonly type: "words"; readonly words: readonly RecognizedWord[] };
