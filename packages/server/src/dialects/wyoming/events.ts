import { apiError, createJsonBoundsCheck, isRecord, JsonBoundsError, LIMITS } from "@parlance/protocol";

/** One message of the protocol: a line of JSON, more JSON and binary data. */
export interface WyomingEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly payload: Uint8Array;
}

/** Bytes of the line, of the data and of the payload. */
export const MAX_PART_BYTES = LIMITS.liveFrameBytes;
/** No event has more structure than `info`, which clients do not send. */
const JSON_BOUNDS = { depth: 8, elements: 200, values: 200, escapes: LIMITS.json.escapes };

const NEWLINE = 0x0a;
const EMPTY = new Uint8Array(0);
const utf8 = new TextDecoder("utf-8", { fatal: true });

interface Header {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly dataLength: number;
  readonly payloadLength: number;
}

export interface EventDecoder {
  /** The events that are complete now. Throws `unreadable_frame`; nothing can be decoded after that. */
  push(bytes: Uint8Array): Generator<WyomingEvent>;
  /** Whether no event has begun. */
  readonly isEmpty: boolean;
}

export function createEventDecoder(): EventDecoder {
  let header: Header | undefined;
  let parts: Uint8Array[] = [];
  let size = 0;
  const collect = (bytes: Uint8Array): void => {
    if (bytes.length === 0) return;
    parts.push(bytes);
    size += bytes.length;
  };
  const takeAll = (): Buffer => {
    const all = Buffer.concat(parts, size);
    [parts, size] = [[], 0];
    return all;
  };
  return {
    *push(bytes) {
      let rest = bytes;
      for (;;) {
        if (header === undefined) {
          const end = rest.indexOf(NEWLINE);
          collect(end < 0 ? rest : rest.subarray(0, end));
          if (size > MAX_PART_BYTES) throw unreadable(`a line is over the limit of ${MAX_PART_BYTES} bytes`);
          if (end < 0) return;
          rest = rest.subarray(end + 1);
          header = parseHeader(takeAll());
        }
        const { type, data, dataLength, payloadLength } = header;
        const missing = dataLength + payloadLength - size;
        collect(rest.subarray(0, missing));
        if (rest.length < missing) return;
        rest = rest.subarray(missing);
        header = undefined;
        const body = takeAll();
        const more = dataLength === 0 ? {} : parseObject(body.subarray(0, dataLength), "the data");
        yield { type, data: { ...data, ...more }, payload: body.subarray(dataLength) };
      }
    },
    get isEmpty() {
      return header === undefined && size === 0;
    },
  };
}

export function encodeEvent(type: string, data: object = {}, payload: Uint8Array = EMPTY): Buffer {
  const json = Buffer.from(JSON.stringify(data));
  const lengths = payload.length === 0 ? {} : { payload_length: payload.length };
  const line = JSON.stringify({ type, version: "1.7.1", data_length: json.length, ...lengths });
  return Buffer.concat([Buffer.from(`${line}\n`), json, payload]);
}

function parseHeader(line: Uint8Array): Header {
  const { type, data, data_length: dataLength, payload_length: payloadLength } = parseObject(line, "the line");
  if (typeof type !== "string") throw unreadable("it has no type");
  if (data !== undefined && data !== null && !isRecord(data)) throw unreadable("data is not an object");
  return {
    type,
    data: data ?? {},
    dataLength: checkLength("data_length", dataLength),
    payloadLength: checkLength("payload_length", payloadLength),
  };
}

function checkLength(name: string, value: unknown): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= MAX_PART_BYTES) return value;
  throw unreadable(`${name} is not an integer from 0 to ${MAX_PART_BYTES}`);
}

function parseObject(bytes: Uint8Array, what: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    const check = createJsonBoundsCheck(JSON_BOUNDS);
    check.push(bytes);
    check.end();
    value = JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw unreadable(`${what} is not JSON${error instanceof JsonBoundsError ? `: ${error.message}` : ""}`);
  }
  if (!isRecord(value)) throw unreadable(`${what} is not an object`);
  return value;
}

function unreadable(reason: string) {
  return apiError("unreadable_frame", { reason });
}
