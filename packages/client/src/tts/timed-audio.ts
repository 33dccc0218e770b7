import { type TimestampFields, timestampEvent } from "@parlance/protocol";
import { ConnectionError, describe } from "../http/connection.ts";
import { readServerSentEvents } from "../http/server-sent-events.ts";

/** The next bytes of the file, the text chunk that they belong to, and the times of its words. */
export interface TimedAudio extends Readonly<TimestampFields> {
  readonly audio: Uint8Array<ArrayBuffer>;
}

export async function* readTimedAudio(
  bytes: AsyncIterable<Uint8Array>,
  traceId: string | undefined,
): AsyncGenerator<TimedAudio, void, undefined> {
  for await (const data of readServerSentEvents(bytes, traceId)) yield parseEvent(data, traceId);
}

function parseEvent(data: string, traceId: string | undefined): TimedAudio {
  try {
    const { audio_base64, ...fields } = timestampEvent.parse(JSON.parse(data));
    return { audio: fromBase64(audio_base64), ...fields };
  } catch (error) {
    throw new ConnectionError(`The server sent an event that cannot be read: ${describe(error)}`, error, traceId);
  }
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
