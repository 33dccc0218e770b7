export { type Alignment, ApiError, type ErrorCode, type ValidationIssue } from "@parlance/protocol";
export type { Account } from "./account.ts";
export type { Admin, NewUser, UserChange, UserQuery } from "./admin.ts";
export { type TranscribePart, transcribeInParts } from "./asr/in-parts.ts";
export type {
  Asr,
  ByteSource,
  Decode,
  FinishedPart,
  KeptParts,
  LongOptions,
  PartsOptions,
  Pcm,
  Progress,
  Recording,
  TranscribeOptions,
  Transcript,
} from "./asr/types.ts";
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
export { findTraceId, type NewTrace, newTrace } from "./new-trace.ts";
export { Parlance } from "./parlance.ts";
export { spanErrorInWords } from "./span-error.ts";
export { type SpanRow, spanRows } from "./span-rows.ts";
export type { TimedAudio } from "./timed-audio.ts";
export type { TraceReader, Traces } from "./traces.ts";
export type { SpeechStream, TimedSpeechStream, Tts, TtsRequestInput } from "./tts.ts";
export type { Usage } from "./usage.ts";
export type { NewVoice, NewVoiceCall, VoiceChange, VoiceQuery, Voices } from "./voices.ts";
export type { LedgerQuery, Wallet, WalletCall } from "./wallet.ts";
