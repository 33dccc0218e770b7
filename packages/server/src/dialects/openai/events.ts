/** The headers of a response of events. */
export const EVENT_STREAM = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };

export function encodeEvent(event: { readonly type: string; readonly [field: string]: unknown }): Uint8Array {
  return Buffer.from(`data: ${JSON.stringify(event)}\n\n`);
}
