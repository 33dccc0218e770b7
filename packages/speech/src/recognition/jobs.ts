import type { ModelFiles } from "../engines/descriptor.ts";
import type {
  KnownTokens,
  LanguageGuess,
  RecognitionHints,
  RecognitionTask,
  RecognizedWord,
} from "../engines/recognizer.ts";
import type { RecognizerName } from "../engines/registry.ts";
import type { VoiceState } from "../engines/silero/silero.ts";
import type { XVectorFiles } from "../voices/clone/xvector/xvector.ts";
import type { SpeechSpan } from "./spans.ts";
import type { GroupedVoices, VoicesToGroup } from "./speakers/group-voices.ts";
import type { Region } from "./speech-regions.ts";

/** The models that a worker process may need. It loads one when a job first needs it. */
export interface RecognitionSpec {
  readonly threads: number;
  /** Path of the voice activity model. */
  readonly silero: string;
  readonly recognizers: Readonly<Partial<Record<RecognizerName, ModelFiles>>>;
  /** The speaker network for diarization, if it is installed. */
  readonly xvector?: XVectorFiles | undefined;
}

/** Mono audio of 16 bits and 16 kHz: a decoded file, or a part of a stream that starts at `from` seconds. */
export type AudioSource =
  | { readonly path: string }
  | { readonly samples: Int16Array<ArrayBuffer>; readonly from: number };

export type RecognitionJob =
  /** Loads what a live stream will need, before speech starts. */
  | { readonly type: "prepare"; readonly engine: RecognizerName | undefined; readonly live: true }
  | { readonly type: "detect-speech"; readonly audio: AudioSource; readonly region: Region }
  /** The next whole chunks of a stream. */
  | {
      readonly type: "follow-speech";
      readonly samples: Int16Array<ArrayBuffer>;
      readonly state: VoiceState | undefined;
    }
  | {
      readonly type: "detect-language";
      readonly audio: AudioSource;
      readonly span: SpeechSpan;
      readonly live?: true;
    }
  | {
      readonly type: "transcribe";
      readonly audio: AudioSource;
      readonly span: SpeechSpan;
      readonly engine: RecognizerName;
      readonly language: string;
      readonly task: RecognitionTask;
      readonly hints?: RecognitionHints | undefined;
      /** Live: a client waits for it while the audio is spoken. */
      readonly live?: true;
      /** The speaker has paused: the probability that the last sentence has ended is computed, too. */
      readonly judgesEnd?: boolean;
      readonly known?: KnownTokens;
    }
  /** The x-vectors of windows inside the span. */
  | {
      readonly type: "embed-voices";
      readonly audio: AudioSource;
      readonly span: Region;
      readonly windows: readonly Region[];
    }
  | ({ readonly type: "group-voices" } & VoicesToGroup);

export type RecognitionResult =
  | { readonly type: "prepared" }
  | { readonly type: "speech"; readonly probabilities: Float32Array; readonly levels: Float32Array }
  | {
      readonly type: "followed";
      readonly probabilities: Float32Array;
      readonly levels: Float32Array;
      readonly state: VoiceState;
    }
  /** Without guesses: there is no speech. */
  | { readonly type: "language"; readonly guesses: readonly LanguageGuess[] }
  /** Times are relative to the file or the stream. The confidence is that of `RecognizedSpeech`. */
  | {
      readonly type: "words";
      readonly words: readonly RecognizedWord[];
      readonly confidence: number;
      readonly sentenceEnd?: number;
      readonly contextWords?: number;
      readonly isRevised?: boolean;
    }
  /** Undefined for a window that is silent. */
  | { readonly type: "voices"; readonly vectors: readonly (Float32Array | undefined)[] }
  | ({ readonly type: "grouped" } & GroupedVoices);
