import { z } from "zod";
import { itemFields } from "./items.ts";
import { responseFields, sessionUpdate } from "./session-config.ts";

const id = z.string().max(200);
const common = { event_id: z.string().max(512).nullish() };

/** What every message of a client has. */
export const anyClientEvent = z.object({ ...common, type: z.string().max(100) });

/** The messages of a client, by their type. Fields that have no meaning here are left out. */
export const CLIENT_EVENTS = {
  "session.update": z.object({ ...common, type: z.literal("session.update"), session: sessionUpdate }),
  "input_audio_buffer.append": z.object({ ...common, type: z.literal("input_audio_buffer.append"), audio: z.string() }),
  "input_audio_buffer.commit": z.object({ ...common, type: z.literal("input_audio_buffer.commit") }),
  "input_audio_buffer.clear": z.object({ ...common, type: z.literal("input_audio_buffer.clear") }),
  "conversation.item.create": z.object({
    ...common,
    type: z.literal("conversation.item.create"),
    previous_item_id: id.nullish(),
    item: itemFields,
  }),
  "conversation.item.retrieve": z.object({ ...common, type: z.literal("conversation.item.retrieve"), item_id: id }),
  "conversation.item.delete": z.object({ ...common, type: z.literal("conversation.item.delete"), item_id: id }),
  "conversation.item.truncate": z.object({
    ...common,
    type: z.literal("conversation.item.truncate"),
    item_id: id,
    audio_end_ms: z.number().nonnegative(),
  }),
  "response.create": z.object({
    ...common,
    type: z.literal("response.create"),
    response: responseFields.extend({ input: z.array(itemFields).max(200).nullish() }).nullish(),
  }),
  "response.cancel": z.object({ ...common, type: z.literal("response.cancel"), response_id: id.nullish() }),
} as const;

export type ClientEventType = keyof typeof CLIENT_EVENTS;
export type ClientEvent = { [Type in ClientEventType]: z.output<(typeof CLIENT_EVENTS)[Type]> }[ClientEventType];

export function isClientEvent(type: string): type is ClientEventType {
  return Object.hasOwn(CLIENT_EVENTS, type);
}

export type EventOf<Type extends ClientEventType> = Extract<ClientEvent, { type: Type }>;
