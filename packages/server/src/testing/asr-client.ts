/** Sends recordings to a test server, well and badly. */
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { TEST_KEY, type TestServer } from "./test-server.ts";
import { burstSamples, wavFile } from "./wav-file.ts";

export const authorization = `Bearer ${TEST_KEY}`;
/** Two bursts in two seconds. */
export const recording = wavFile(
  burstSamples(2, [
    { start: 0.25, end: 0.5, level: 20 },
    { start: 1.1, end: 1.9, level: 80 },
  ]),
  16_000,
);
type Fields = Readonly<Record<string, string>>;

export function form(audio: Uint8Array<ArrayBuffer> | undefined, fields: Fields = {}): FormData {
  const data = new FormData();
  if (audio !== undefined) data.append("audio", new Blob([audio]), "speech.wav");
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  return data;
}

interface Send {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export function send(
  server: TestServer,
  body: FormData | Uint8Array<ArrayBuffer> | string,
  { headers, signal }: Send = {},
) {
  const type = body instanceof FormData ? {} : { "content-type": "application/msgpack" };
  return fetch(`${server.url}/v1/asr`, {
    method: "POST",
    headers: { authorization, ...type, ...headers },
    body,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The paths of the uploads that are on the server's disk. */
export async function uploads(server: TestServer): Promise<readonly string[]> {
  const folder = join(server.folder, "uploads");
  const own = await readdir(folder).catch(() => []);
  const files = await Promise.all(
    own.map(async (name) => (await readdir(join(folder, name))).map((file) => join(folder, name, file))),
  );
  return files.flat();
}

/** Sends these bytes, and returns everything that is received until the connection ends. */
export function raw(server: TestServer): { readonly socket: Socket; readonly answer: Promise<string> } {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  let text = "";
  socket.on("data", (data) => {
    text += data.toString("latin1");
  });
  socket.on("error", () => {});
  return { socket, answer: once(socket, "close").then(() => text) };
}

/** The head of a request that is written by hand. */
export const head = (extra: string): string =>
  `POST /v1/asr HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n${extra}\r\n\r\n`;
