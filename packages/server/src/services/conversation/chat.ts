/** A message of a conversation, as chat endpoints expect it. */
export type ChatMessage =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls?: readonly ChatToolCall[] }
  | { readonly role: "tool"; readonly tool_call_id: string; readonly content: string };

export interface ChatToolCall {
  readonly id: string;
  readonly type: "function";
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A function that the model may ask the client to call. `parameters` is a JSON schema, which is passed on as it is. */
export interface ChatTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly parameters?: unknown;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ChatTool[];
  readonly toolChoice: "auto" | "none" | "required" | { readonly name: string };
  /** Undefined: as many as the model likes. */
  readonly maxTokens: number | undefined;
}

export type AnswerEvent =
  | { readonly type: "text"; readonly text: string }
  /** The model calls a function. Its arguments follow, in pieces of JSON. */
  | { readonly type: "call"; readonly call: number; readonly id: string | undefined; readonly name: string }
  | { readonly type: "arguments"; readonly call: number; readonly text: string }
  | { readonly type: "end"; readonly reason: EndReason; readonly usage: TokenUsage | undefined };

/** `length`: the answer was too long, for the model or for this server. */
export type EndReason = "stop" | "length" | "filter";

export interface TokenUsage {
  readonly input: number;
  readonly output: number;
}

/** The language model of the operator. */
export interface LanguageModel {
  /** Streams an answer. The last event is `end`. Throws `language_model_failed`, or the reason of the signal. */
  answer(request: ChatRequest, signal: AbortSignal): AsyncIterable<AnswerEvent>;
}
