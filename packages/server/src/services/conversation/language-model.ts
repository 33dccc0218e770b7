import { NO_REDIRECTS } from "../../lib/no-redirects.ts";
import { createAnswerReader } from "./answer-reader.ts";
import type { ChatRequest, LanguageModel } from "./chat.ts";
import { EventStreamError, eventData } from "./event-stream.ts";
import { modelFailure } from "./model-failure.ts";

export interface LanguageModelOptions {
  /** The address below which `/chat/completions` is. */
  readonly url: string;
  readonly key?: string | undefined;
  /** Left out: the endpoint has only one. */
  readonly model?: string | undefined;
  readonly timeouts?: LanguageModelTimeouts;
}

export interface LanguageModelTimeouts {
  /** Until the answer begins. */
  readonly firstMs: number;
  /** Between two events of the answer. */
  readonly nextMs: number;
  /** For the whole answer. */
  readonly totalMs: number;
}

const TIMEOUTS: LanguageModelTimeouts = { firstMs: 30_000, nextMs: 15_000, totalMs: 600_000 };
/** An answer with every character in an event of its own takes about 200 bytes for each. */
const STREAM_LIMITS = { bytes: 8 * 1024 * 1024, lineCharacters: 256 * 1024 };

/** Any endpoint with OpenAI's chat completions. */
export function createLanguageModel({ url, key, model, timeouts = TIMEOUTS }: LanguageModelOptions): LanguageModel {
  const address = `${url.replace(/\/+$/, "")}/chat/completions`;
  const headers = {
    "content-type": "application/json",
    accept: "text/event-stream",
    ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  };
  return {
    async *answer(request, signal) {
      const late = new AbortController();
      const stopped = AbortSignal.any([signal, late.signal]);
      const expire = (ms: number, reason = `nothing came for ${ms} ms`) =>
        setTimeout(() => late.abort(modelFailure(reason)), ms);
      const total = expire(timeouts.totalMs, `its answer took longer than ${timeouts.totalMs} ms`);
      let timer = expire(timeouts.firstMs);
      try {
        const body = JSON.stringify({ ...(model === undefined ? {} : { model }), ...bodyOf(request) });
        const response = await fetch(address, { method: "POST", headers, body, ...NO_REDIRECTS, signal: stopped });
        if (!response.ok || response.body === null) throw modelFailure(`it answered with status ${response.status}`);
        const read = createAnswerReader();
        for await (const data of eventData(response.body, STREAM_LIMITS)) {
          // The consumer may take its time with an event.
          clearTimeout(timer);
          for (const event of read.events(data)) {
            yield event;
            if (event.type === "end") return;
          }
          timer = expire(timeouts.nextMs);
        }
        yield read.end();
      } catch (error) {
        signal.throwIfAborted();
        throw late.signal.aborted ? late.signal.reason : asFailure(error);
      } finally {
        clearTimeout(timer);
        clearTimeout(total);
        // Ends the connection when the rest of the answer is not read.
        late.abort(new Error("the answer has ended"));
      }
    },
  };
}

function bodyOf({ messages, tools, toolChoice, maxTokens }: ChatRequest): object {
  const choice = typeof toolChoice === "string" ? toolChoice : { type: "function", function: toolChoice };
  return {
    messages,
    stream: true,
    stream_options: { include_usage: true },
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool) => ({ type: "function", function: tool })), tool_choice: choice }),
  };
}

function asFailure(error: unknown): unknown {
  if (error instanceof EventStreamError) return modelFailure(error.message);
  // What `fetch` throws when the connection cannot be made, or breaks.
  return error instanceof TypeError ? modelFailure("it cannot be reached, or its connection broke", error) : error;
}
