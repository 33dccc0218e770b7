/** Names the events and the items of a session. */
export interface Ids {
  /** A message with its type and the id of an event. */
  message(type: string, fields: object): object;
  /** A new id that starts with a word such as `item`. */
  next(kind: "item" | "resp" | "call"): string;
}

export function createIds(traceId: string): Ids {
  let events = 0;
  let count = 0;
  return {
    message: (type, fields) => ({ type, event_id: `event_${traceId}_${++events}`, ...fields }),
    next: (kind) => `${kind}_${traceId}_${++count}`,
  };
}
