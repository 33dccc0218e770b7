// Accounts, API keys and sessions
export * from "./accounts/account-bodies.ts";
export * from "./accounts/account-values.ts";
export * from "./accounts/accounts.ts";
export * from "./accounts/audit.ts";
export * from "./accounts/key-limits.ts";
export * from "./accounts/key-scopes.ts";
export * from "./accounts/pronunciations.ts";
export * from "./accounts/roles.ts";
export * from "./accounts/sign-in-link.ts";
export * from "./accounts/system.ts";

// Speech to text
export * from "./asr/asr-body.ts";
export * from "./asr/asr-models.ts";
export * from "./asr/asr-request.ts";
export * from "./asr/asr-result.ts";
export * from "./asr/asr-subtitles.ts";
export * from "./asr/asr-turns.ts";
export * from "./asr/listen-frames.ts";
export * from "./asr/listen-request.ts";
export * from "./asr/speaker-labels.ts";

// Plans, prices, usage and wallet
export * from "./billing/plans.ts";
export * from "./billing/prices.ts";
export * from "./billing/usage.ts";
export * from "./billing/usage-values.ts";
export * from "./billing/wallet.ts";
export * from "./billing/wallet-values.ts";

// History
export * from "./history/history.ts";

// Live speech over a WebSocket
export * from "./live/live-frames.ts";
export * from "./live/live-text.ts";

// Projects
export { projectFileName } from "./projects/file-name.ts";
export * from "./projects/projects.ts";
export { fittingParagraphs, type SplitChapter, splitText, splitTextPieces } from "./projects/split-text.ts";

// SSML; the parser is in `@parlance/protocol/ssml`
export { looksLikeSsml } from "./ssml/looks-like-ssml.ts";
export { SSML_IGNORED_HEADER, SSML_TYPE, type SsmlQuery, ssmlBody, ssmlQuery } from "./ssml/ssml-request.ts";

// Traces
export * from "./traces/trace-values.ts";
export * from "./traces/traces.ts";

// Text to speech
export * from "./tts/formats.ts";
export * from "./tts/models.ts";
export * from "./tts/ranges.ts";
export { toAudioBytes } from "./tts/reference-audio.ts";
export * from "./tts/timestamp-event.ts";
export * from "./tts/tts-body.ts";
export * from "./tts/tts-request.ts";

// Voices
export * from "./voices/voice-aliases.ts";
export * from "./voices/voice-design.ts";
export * from "./voices/voice-models.ts";
export * from "./voices/voice-requests.ts";

// Errors, limits and encodings
export * from "./wire/api-error.ts";
export * from "./wire/error-response.ts";
export * from "./wire/error-table.ts";
export * from "./wire/form-fields.ts";
export { createJsonBoundsCheck, type JsonBounds, JsonBoundsError } from "./wire/json-bounds.ts";
export * from "./wire/limits.ts";
export * from "./wire/message-pack.ts";
export * from "./wire/message-pack-map.ts";
export { MessagePackError } from "./wire/message-pack-scan.ts";
export * from "./wire/shape.ts";
export * from "./wire/wav-header.ts";
