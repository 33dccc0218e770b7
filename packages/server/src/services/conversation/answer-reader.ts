import { z } from "zod";
import type { AnswerEvent, EndReason, TokenUsage } from "./chat.ts";
import { modelFailure } from "./model-failure.ts";

/** What one answer may have. */
export const ANSWER_LIMITS = { characters: 16_000, calls: 16, argumentCharacters: 64_000 };

const toolCall = z.object({
  index: z.number().int().nonnegative().nullish(),
  id: z.string().max(200).nullish(),
  function: z.object({ name: z.string().max(200).nullish(), arguments: z.string().nullish() }).nullish(),
});
const chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish(), tool_calls: z.array(toolCall).nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
  error: z.unknown().optional(),
});

/** Reads the events of a streamed chat completion. */
export interface AnswerReader {
  /** What the data of one event adds to the answer. Throws `language_model_failed` when it cannot be read. */
  events(data: string): readonly AnswerEvent[];
  /** The stream has ended without `[DONE]`. Throws when the answer is not whole. */
  end(): AnswerEvent;
}

const REASONS: Readonly<Record<string, "length" | "filter">> = { length: "length", content_filter: "filter" };

export function createAnswerReader(): AnswerReader {
  let finish: string | undefined;
  let usage: TokenUsage | undefined;
  let characters = 0;
  let argumentCharacters = 0;
  /** The endpoint's numbers of the calls so far, by our own. */
  const calls: (number | undefined)[] = [];

  const end = (reason: EndReason = REASONS[finish ?? ""] ?? "stop"): AnswerEvent => ({ type: "end", reason, usage });

  function callEvents(call: z.output<typeof toolCall>): readonly AnswerEvent[] {
    const { index, id, function: called } = call;
    const isKnown = index == null ? id == null && calls.length > 0 : calls.includes(index);
    const number = isKnown ? (index == null ? calls.length - 1 : calls.indexOf(index)) : calls.length;
    const events: AnswerEvent[] = [];
    if (!isKnown) {
      if (called?.name == null || called.name === "") throw modelFailure("it calls a function without a name");
      if (calls.length >= ANSWER_LIMITS.calls)
        throw modelFailure(`it calls more than ${ANSWER_LIMITS.calls} functions`);
      calls.push(index ?? undefined);
      events.push({ type: "call", call: number, id: id ?? undefined, name: called.name });
    }
    const text = called?.arguments ?? "";
    argumentCharacters += text.length;
    if (argumentCharacters > ANSWER_LIMITS.argumentCharacters) {
      throw modelFailure(`the arguments of its calls are over ${ANSWER_LIMITS.argumentCharacters} characters`);
    }
    if (text !== "") events.push({ type: "arguments", call: number, text });
    return events;
  }

  return {
    events(data) {
      if (data.trim() === "[DONE]") {
        if (finish === undefined && characters + calls.length === 0) throw modelFailure("its answer is empty");
        return [end()];
      }
      const { choices, usage: counted, error } = parse(data);
      if (error != null) throw modelFailure("it reported an error");
      if (counted != null) usage = { input: counted.prompt_tokens, output: counted.completion_tokens };
      const [choice] = choices ?? [];
      if (choice === undefined) return [];
      finish = choice.finish_reason ?? finish;
      const events: AnswerEvent[] = [];
      const left = ANSWER_LIMITS.characters - characters;
      const text = choice.delta?.content ?? "";
      characters += text.length;
      if (text !== "" && left > 0) events.push({ type: "text", text: text.slice(0, left) });
      if (text.length > left) return [...events, end("length")];
      return [...events, ...(choice.delta?.tool_calls ?? []).flatMap(callEvents)];
    },
    end() {
      if (finish === undefined) throw modelFailure("its answer was cut off");
      return end();
    },
  };
}

function parse(data: string): z.output<typeof chunk> {
  try {
    return chunk.parse(JSON.parse(data));
  } catch {
    throw modelFailure("it sent something else than chat completions");
  }
}
