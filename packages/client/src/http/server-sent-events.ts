import { ConnectionError } from "./connection.ts";

/** Events are far smaller. The limit bounds the memory for a stream without line ends. */
const MAX_CHARACTERS = 16 * 1024 * 1024;

/** The data of each event of a `text/event-stream`. Names, ids and comments are ignored. */
export async function* readServerSentEvents(
  bytes: AsyncIterable<Uint8Array>,
  traceId?: string,
): AsyncGenerator<string, void, undefined> {
  const broken = (reason: string) => new ConnectionError(`The events broke off: ${reason}`, undefined, traceId);
  let data: string[] = [];
  let size = 0;
  for await (const line of linesOf(bytes, broken)) {
    if (line === "") {
      if (data.length > 0) yield data.join("\n");
      data = [];
      size = 0;
      continue;
    }
    const [, field, value = ""] = line.match(/^([^:]*)(?:: ?(.*))?$/s) ?? [];
    if (field !== "data") continue;
    data.push(value);
    size += value.length;
    if (size > MAX_CHARACTERS) throw broken(`an event is longer than ${MAX_CHARACTERS} characters`);
  }
  if (data.length > 0) throw broken("the last event is incomplete");
}

/** Lines end with CR, LF or CRLF; a CRLF may be split between two chunks. */
async function* linesOf(
  bytes: AsyncIterable<Uint8Array>,
  broken: (reason: string) => Error,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  let rest = "";
  let endedInReturn = false;
  for await (const part of bytes) {
    let text = decoder.decode(part, { stream: true });
    if (text === "") continue;
    if (endedInReturn && text.startsWith("\n")) text = text.slice(1);
    endedInReturn = text.endsWith("\r");
    const [first = "", ...others] = text.split(/\r\n|\n|\r/);
    rest += first;
    if (rest.length > MAX_CHARACTERS) throw broken(`a line is longer than ${MAX_CHARACTERS} characters`);
    for (const line of others) {
      yield rest;
      rest = line;
    }
  }
  rest += decoder.decode();
  if (rest !== "") throw broken("the last line is incomplete");
}
