/** The options of `parlance transcribe`. */
export interface TranscribeOptions {
  readonly format?: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly language?: string;
  readonly words?: boolean;
  readonly model: "transcribe-1" | "moonshine" | "whisper";
  readonly local?: boolean;
  readonly server?: string;
  readonly key?: string;
}
