import type { ChatMessage } from "../../../services/conversation/chat.ts";
import { type CallItem, type Item, knownText } from "./items.ts";

/**
 * The conversation as a chat endpoint expects it. A call must be followed by its result there, so calls without one and
 * results without a call are left out.
 */
export function chatMessages(instructions: string, items: readonly Item[]): readonly ChatMessage[] {
  const results = new Map(
    items.flatMap((item) => (item.type === "function_call_output" ? [[item.callId, item.output] as const] : [])),
  );
  const messages: ChatMessage[] = instructions === "" ? [] : [{ role: "system", content: instructions }];
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    if (item?.type === "message") {
      const content = knownText(item);
      if (content !== "") messages.push({ role: item.role, content });
    } else if (item?.type === "function_call") {
      const calls = callsFrom(items, at);
      at += calls.length - 1;
      messages.push(
        ...callMessages(
          calls.filter(({ callId }) => results.has(callId)),
          results,
        ),
      );
    }
  }
  return messages;
}

/** The calls that the model has made at once. */
function callsFrom(items: readonly Item[], from: number): readonly CallItem[] {
  const rest = items.slice(from);
  const end = rest.findIndex(({ type }) => type !== "function_call");
  return rest.slice(0, end < 0 ? undefined : end).filter((item) => item.type === "function_call");
}

function callMessages(calls: readonly CallItem[], results: ReadonlyMap<string, string>): readonly ChatMessage[] {
  if (calls.length === 0) return [];
  const toolCalls = calls.map(({ callId, name, arguments: given }) => ({
    id: callId,
    type: "function" as const,
    function: { name, arguments: given },
  }));
  return [
    { role: "assistant", content: null, tool_calls: toolCalls },
    ...calls.map(({ callId }) => ({
      role: "tool" as const,
      tool_call_id: callId,
      content: results.get(callId) ?? "",
    })),
  ];
}
