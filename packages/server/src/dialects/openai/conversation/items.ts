import { z } from "zod";
import { invalid } from "../values.ts";
import { CONVERSATION_LIMITS } from "./limits.ts";
import type { SpokenText } from "./spoken-text.ts";

type Status = "in_progress" | "completed" | "incomplete";

export interface MessageItem {
  readonly type: "message";
  readonly id: string;
  readonly role: "user" | "assistant" | "system";
  readonly content: "input_text" | "input_audio" | "output_text" | "output_audio";
  text: string;
  status: Status;
  /** Of an answer that is spoken. */
  readonly spoken?: SpokenText;
  /** Seconds of its audio that were played. Undefined: all of it. */
  playedSeconds?: number | undefined;
}

export interface CallItem {
  readonly type: "function_call";
  readonly id: string;
  readonly callId: string;
  readonly name: string;
  arguments: string;
  status: Status;
}

export interface OutputItem {
  readonly type: "function_call_output";
  readonly id: string;
  readonly callId: string;
  readonly output: string;
  readonly status: Status;
}

export type Item = MessageItem | CallItem | OutputItem;

const id = z.string().min(1).max(200);
const long = z.string().max(CONVERSATION_LIMITS.itemCharacters);
const part = z.object({ type: z.string().max(100).nullish(), text: long.nullish(), transcript: long.nullish() });

/** An item that a client creates. */
export const itemFields = z.object({
  id: id.nullish(),
  type: z.enum(["message", "function_call", "function_call_output"]),
  role: z.enum(["user", "assistant", "system", "developer"]).nullish(),
  content: z.array(part).max(100).nullish(),
  call_id: id.nullish(),
  name: z.string().max(200).nullish(),
  arguments: long.nullish(),
  output: long.nullish(),
});

export function readItem(fields: z.output<typeof itemFields>, newId: () => string): Item {
  const own = { id: fields.id ?? newId(), status: "completed" as const };
  if (fields.type === "message") return { ...own, ...readMessage(fields) };
  const callId = fields.call_id ?? newId();
  if (fields.type === "function_call_output") return { ...own, type: fields.type, callId, output: fields.output ?? "" };
  return { ...own, type: fields.type, callId, name: fields.name ?? "", arguments: fields.arguments ?? "{}" };
}

function readMessage({ role: given, content }: z.output<typeof itemFields>) {
  const role = given === "developer" ? "system" : (given ?? "user");
  const texts = (content ?? []).map(({ type, text, transcript }) => {
    const words = text ?? transcript;
    if (words != null) return words;
    throw invalid("item.content", type ?? "", "only text is accepted here: append audio to the input audio buffer");
  });
  const kind = role === "assistant" ? ("output_text" as const) : ("input_text" as const);
  return { type: "message" as const, role, content: kind, text: texts.join("\n") };
}

/** The item as clients see it. */
export function itemToWire(item: Item): object {
  const { id: itemId, type, status } = item;
  const common = { id: itemId, object: "realtime.item", type, status };
  switch (item.type) {
    case "message": {
      const isText = item.content === "input_text" || item.content === "output_text";
      const isEmpty = item.status === "in_progress" && item.text === "";
      const content = isEmpty
        ? []
        : [isText ? { type: item.content, text: item.text } : { type: item.content, transcript: item.text }];
      return { ...common, role: item.role, content };
    }
    case "function_call":
      return { ...common, call_id: item.callId, name: item.name, arguments: item.arguments };
    case "function_call_output":
      return { ...common, call_id: item.callId, output: item.output };
  }
}

/** The text for the model: of an answer only what was played. */
export function knownText(item: MessageItem): string {
  if (item.playedSeconds === undefined || item.spoken === undefined) return item.text;
  return item.spoken.upTo(item.text, item.playedSeconds);
}

export function sizeOf(item: Item): number {
  switch (item.type) {
    case "message":
      return item.text.length;
    case "function_call":
      return item.name.length + item.arguments.length;
    case "function_call_output":
      return item.output.length;
  }
}
