export { type Alignment, ApiError, type ErrorCode, type ValidationIssue } from "@parlance/protocol";
export type { Account } from "./account/account.ts";
export type { Admin, NewUser, UserChange, UserQuery } from "./account/admin.ts";
export type { History } from "./account/history.ts";
export type { Projects } from "./account/projects.ts";
export type { Usage } from "./account/usage.ts";
export type { LedgerQuery, Wallet, WalletCall } from "./account/wallet.ts";
export { type TranscribePart, transcribeInParts } from "./asr/in-parts.ts";
export type {
  Asr,
  ByteSource,
  Decode,
  FinishedPart,
  LongOptions,
  PartStore,
  PartsOptions,
  Pcm,
  Progress,
  Recording,
  TranscribeOptions,
  Transcript,
} from "./asr/types.ts";
export { writeWav } from "./asr/wav-writer.ts";
export type {
  ConversationEvent,
  ConversationOptions,
  ConversationSession,
  Conversations,
} from "./conversation/types.ts";
export { type CallOptions, ConnectionError, type ParlanceOptions } from "./http/connection.ts";
export type { Listen, ListenEvent, ListenOptions, ListenSession } from "./listen/types.ts";
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
export { findTraceId, type NewTrace, newTrace } from "./traces/new-trace.ts";
export { describeSpanError } from "./traces/span-error.ts";
export { type SpanRow, spanRows } from "./traces/span-rows.ts";
export type { TraceReader, Traces } from "./traces/traces.ts";
export type { TimedAudio } from "./tts/timed-audio.ts";
export type { SpeechStream, TimedSpeechStream, Tts, TtsRequestInput } from "./tts/tts.ts";
export type { NewVoice, NewVoiceCall, VoiceChange, VoiceQuery, Voices } from "./voices/voices.ts";
