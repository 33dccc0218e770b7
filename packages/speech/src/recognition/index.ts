export { createTranscription, type TranscriptionOptions } from "./create-transcription.ts";
