import { SOCKETS, type SocketDocs, type SocketFrame } from "./sockets.ts";

/** The AsyncAPI 3.0 document of the live sockets, from the table that the pages show. */
export function asyncApiDocument() {
  const entries = <Value>(values: readonly (readonly [string, Value])[]) => Object.fromEntries(values);
  return {
    asyncapi: "3.0.0",
    info: {
      title: "Parlance live sockets",
      version: "1",
      description: "WebSockets for text that is being written and audio that is being spoken.",
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    defaultContentType: "application/msgpack",
    channels: entries(SOCKETS.map((socket) => [socket.id, channelOf(socket)])),
    operations: entries(SOCKETS.flatMap((socket) => socket.frames.map((frame) => operationOf(socket, frame)))),
    components: {
      messages: entries(SOCKETS.flatMap((socket) => socket.frames.map((frame) => messageOf(socket, frame)))),
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key, in the header of the upgrade." },
      },
    },
  };
}

/** A client and a server frame may have the same event. */
function nameOf({ id }: SocketDocs, { from, event }: SocketFrame): string {
  return `${id}.${from}.${event}`;
}

function channelOf(socket: SocketDocs) {
  return {
    address: socket.path,
    title: socket.summary,
    description: socket.description,
    messages: Object.fromEntries(
      socket.frames.map((frame) => [nameOf(socket, frame), { $ref: `#/components/messages/${nameOf(socket, frame)}` }]),
    ),
    bindings: { ws: { method: "GET" } },
  };
}

/** From the side of the server: it receives what clients send. */
function operationOf(socket: SocketDocs, frame: SocketFrame) {
  const name = nameOf(socket, frame);
  const operation = {
    action: frame.from === "client" ? "receive" : "send",
    channel: { $ref: `#/channels/${socket.id}` },
    summary: frame.description,
    security: [{ $ref: "#/components/securitySchemes/bearer" }],
    messages: [{ $ref: `#/channels/${socket.id}/messages/${name}` }],
  };
  return [name, operation] as const;
}

function messageOf(socket: SocketDocs, frame: SocketFrame) {
  const { event, description, fields, optional = [] } = frame;
  const required = ["event", ...Object.keys(fields).filter((name) => !optional.includes(name))];
  const payload = { type: "object", properties: { event: { type: "string", const: event }, ...fields }, required };
  return [nameOf(socket, frame), { name: event, summary: description, payload }] as const;
}
