import { once } from "node:events";
import { connect, type Socket } from "node:net";

export interface ReceivedEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly payload: Buffer;
}

/** Speaks the bytes of the protocol, written without the code of the server. */
export interface WyomingClient {
  readonly socket: Socket;
  send(type: string, data?: object, payload?: Uint8Array): void;
  /** The next event; undefined when the server has closed the connection. */
  next(): Promise<ReceivedEvent | undefined>;
  /** All events up to one of this type. Throws when the connection closes before it. */
  until(type: string): Promise<readonly ReceivedEvent[]>;
  close(): Promise<void>;
}

export async function connectWyoming(port: number | undefined): Promise<WyomingClient> {
  const socket = connect({ port: port ?? 0, host: "127.0.0.1" });
  await once(socket, "connect");
  let bytes = Buffer.alloc(0);
  let isEnded = false;
  let wake = (): void => {};
  socket.on("data", (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    wake();
  });
  socket.on("error", () => {});
  const end = (): void => {
    isEnded = true;
    wake();
  };
  socket.once("end", end);
  socket.once("close", end);

  /** Takes one event from the bytes, if a whole one is there. */
  const take = (): ReceivedEvent | undefined => {
    const newline = bytes.indexOf("\n");
    if (newline < 0) return undefined;
    const line: Record<string, unknown> = JSON.parse(bytes.toString("utf8", 0, newline));
    const [dataLength, payloadLength] = [Number(line.data_length ?? 0), Number(line.payload_length ?? 0)];
    const end = newline + 1 + dataLength + payloadLength;
    if (bytes.length < end) return undefined;
    const json = bytes.toString("utf8", newline + 1, newline + 1 + dataLength);
    const event = {
      type: String(line.type),
      data: json === "" ? {} : JSON.parse(json),
      payload: Buffer.from(bytes.subarray(newline + 1 + dataLength, end)),
    };
    bytes = bytes.subarray(end);
    return event;
  };
  const next = async (): Promise<ReceivedEvent | undefined> => {
    for (;;) {
      const event = take();
      if (event !== undefined || isEnded) return event;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    socket,
    send(type, data, payload) {
      const json = data === undefined ? "" : JSON.stringify(data);
      const line = {
        type,
        ...(json === "" ? {} : { data_length: Buffer.byteLength(json) }),
        ...(payload === undefined ? {} : { payload_length: payload.length }),
      };
      socket.write(Buffer.concat([Buffer.from(`${JSON.stringify(line)}\n${json}`), payload ?? Buffer.alloc(0)]));
    },
    next,
    async until(type) {
      const events: ReceivedEvent[] = [];
      for (;;) {
        const event = await next();
        if (event === undefined) throw new Error(`closed after ${events.map((each) => each.type).join(", ")}`);
        events.push(event);
        if (event.type === type) return events;
      }
    },
    async close() {
      socket.destroy();
      if (!socket.closed) await once(socket, "close");
    },
  };
}
