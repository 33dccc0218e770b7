import type { CallOptions } from "../http/connection.ts";

/** How a conversation is held. See `WS /v1/realtime`. */
export interface ConversationOptions {
  /** The system message of the language model. */
  readonly instructions?: string | undefined;
  /** The id or short name of a voice; the default voice by default. */
  readonly voice?: string | undefined;
  /** ISO 639-1; found in the first seconds of speech by default. */
  readonly language?: string | undefined;
  /** `words` by default: a turn ends sooner after words that end like a sentence. `client`: with `commit`. */
  readonly endOfTurn?: "words" | "silence" | "client" | undefined;
  /** Answers are spoken by default. */
  readonly output?: "audio" | "text" | undefined;
}

/** An event of the server. Its fields are those of OpenAI's realtime API. */
export interface ConversationEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** An open conversation. Audio is 16-bit mono at 24000 Hz in both directions. Its events end when it is closed. */
export interface ConversationSession extends AsyncIterable<ConversationEvent> {
  readonly traceId: string | undefined;
  /** Adds audio of the speaker. */
  send(audio: Uint8Array | Int16Array): void;
  /** The turn ends here. */
  commit(): void;
  /** Sends a text message, and requests an answer. */
  write(text: string): void;
  /** Ends the answer that is being spoken. */
  cancel(): void;
  /** Only this much of an answer was played; the language model's history ends there. */
  truncate(itemId: string, milliseconds: number): void;
  /** Sends any message of OpenAI's realtime API. */
  post(message: { readonly type: string; readonly [field: string]: unknown }): void;
  close(): void;
}

export interface Conversations {
  /** Opens a conversation. */
  (options?: ConversationOptions, call?: CallOptions): Promise<ConversationSession>;
  /** Whether the server has a language model. Without one it refuses conversations. */
  available(call?: CallOptions): Promise<boolean>;
}
