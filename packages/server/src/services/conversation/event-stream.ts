import { StringDecoder } from "node:string_decoder";

export interface EventStreamLimits {
  /** Of the whole stream. */
  readonly bytes: number;
  /** Of one line. */
  readonly lineCharacters: number;
}

/** The stream is larger than it may be. */
export class EventStreamError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "EventStreamError";
  }
}

/** The data of each server-sent event. Throws `EventStreamError` when the stream exceeds its limits. */
export async function* eventData(
  chunks: AsyncIterable<Uint8Array>,
  { bytes, lineCharacters }: EventStreamLimits,
): AsyncGenerator<string> {
  const decoder = new StringDecoder("utf8");
  let received = 0;
  let rest = "";
  let data: string[] = [];
  for await (const chunk of chunks) {
    received += chunk.length;
    if (received > bytes) throw new EventStreamError(`the answer is over ${bytes} bytes`);
    // Only what is new is searched: a long line may come in many small pieces.
    const [first = "", ...others] = decoder.write(Buffer.from(chunk)).split("\n");
    const lines = [rest + first, ...others];
    rest = lines.pop() ?? "";
    if (rest.length > lineCharacters) throw new EventStreamError(`a line is over ${lineCharacters} characters`);
    for (const line of lines.map((each) => each.replace(/\r$/, ""))) {
      if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      else if (line === "" && data.length > 0) {
        yield data.join("\n");
        data = [];
      }
    }
  }
  // Some servers leave out the empty line after the last event.
  if (rest.startsWith("data:")) data.push(rest.slice(5).trim());
  if (data.length > 0) yield data.join("\n");
}
