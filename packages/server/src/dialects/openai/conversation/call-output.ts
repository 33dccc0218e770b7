import type { CallItem } from "./items.ts";
import { addOutput, type OutputContext } from "./response-output.ts";

/** A function that the model calls: the client does it, and creates an item with the result. */
export interface CallOutput {
  readonly item: CallItem;
  /** Adds a piece of the arguments. */
  push(text: string): Promise<void>;
  finish(status: "completed" | "incomplete"): Promise<void>;
}

export async function openCall(
  context: OutputContext,
  index: number,
  { id, name }: { readonly id: string | undefined; readonly name: string },
): Promise<CallOutput> {
  const { ids, send } = context;
  const item: CallItem = {
    type: "function_call",
    id: ids.next("item"),
    callId: id ?? ids.next("call"),
    name,
    arguments: "",
    status: "in_progress",
  };
  const output = addOutput(context, index, item);
  const message = (kind: string, fields: object): object =>
    output.message(`response.function_call_arguments.${kind}`, { call_id: item.callId, ...fields });
  await send(output.added);
  return {
    item,
    async push(text) {
      item.arguments += text;
      await send([message("delta", { delta: text })]);
    },
    async finish(status) {
      // A function without parameters.
      if (item.arguments === "") item.arguments = "{}";
      const whole = message("done", { name, arguments: item.arguments });
      await send([whole, ...output.done(status)]);
    },
  };
}
