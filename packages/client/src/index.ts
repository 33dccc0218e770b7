export { type Alignment, ApiError, type ErrorCode, type ValidationIssue } from "@parlance/protocol";
export { type CallOptions, ConnectionError, type ParlanceOptions } from "./connection.ts";
export {
  type Live,
  type LiveConnection,
  LiveError,
  type LiveFrame,
  type LiveRequest,
  type LiveSession,
  type RoundRequest,
  type SocketOptions,
  type TimedLiveFrame,
} from "./live/types.ts";
export { Parlance } from "./parlance.ts";
export type { TimedAudio } from "./timed-audio.ts";
export type { SpeechStream, TimedSpeechStream, Tts, TtsRequestInput } from "./tts.ts";
