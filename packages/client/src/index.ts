export { ApiError, type ErrorCode, type ValidationIssue } from "@parlance/protocol";
export { type CallOptions, ConnectionError, type ParlanceOptions } from "./connection.ts";
export { Parlance } from "./parlance.ts";
export type { SpeechStream, Tts, TtsRequestInput } from "./tts.ts";
