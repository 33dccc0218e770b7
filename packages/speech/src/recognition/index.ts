export { languageNames } from "../engines/whisper/languages.ts";
export { createTranscription, type TranscriptionOptions } from "./create-transcription.ts";
export type { WhisperSize } from "./installed.ts";
