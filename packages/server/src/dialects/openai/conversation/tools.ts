import { z } from "zod";
import type { ChatRequest, ChatTool } from "../../../services/conversation/chat.ts";
import { invalid } from "../values.ts";
import { CONVERSATION_LIMITS } from "./limits.ts";

/** Functions that the client can call for the model. */
export const toolList = z
  .array(
    z.object({
      type: z.string().max(100).nullish(),
      name: z.string().max(200),
      description: z.string().nullish(),
      parameters: z.unknown().optional(),
    }),
  )
  .max(CONVERSATION_LIMITS.tools);

/** One of three words, or the function to call, by its name or as an object. */
export const toolChoice = z.union([
  z.string().max(200),
  z.object({ type: z.string().max(100), name: z.string().max(200) }),
]);

export interface ToolSettings {
  readonly tools?: z.output<typeof toolList> | null | undefined;
  readonly tool_choice?: z.output<typeof toolChoice> | null | undefined;
}

/** Throws the 400 for tools that are not functions, or too large. */
export function readTools({ tools, tool_choice: choice }: ToolSettings): Pick<ChatRequest, "tools" | "toolChoice"> {
  const given = tools ?? [];
  const found = given.map(({ type, name, description, parameters }): ChatTool => {
    if (type != null && type !== "function") throw invalid("tools", type, "the type of a tool must be function");
    if (!/^[\w.-]{1,64}$/.test(name)) throw invalid("tools", name, "a name has 1 to 64 letters, digits, _ - and .");
    return { name, description: description ?? undefined, parameters };
  });
  const size = JSON.stringify(found).length;
  if (size > CONVERSATION_LIMITS.toolCharacters) {
    throw invalid("tools", `${size} characters`, `at most ${CONVERSATION_LIMITS.toolCharacters} are allowed`);
  }
  return { tools: found, toolChoice: readChoice(choice ?? "auto", found) };
}

function readChoice(choice: z.output<typeof toolChoice>, tools: readonly ChatTool[]): ChatRequest["toolChoice"] {
  if (choice === "auto" || choice === "none" || choice === "required") return choice;
  // One client sends the name alone.
  const name = typeof choice === "string" ? choice : choice.name;
  if (tools.some((tool) => tool.name === name)) return { name };
  throw invalid("tool_choice", name, "it must be auto, none, required or the name of a tool");
}
