import { randomInt } from "node:crypto";
import { creditsForText } from "@parlance/protocol";
import { connectLive } from "./live-client.ts";

/** What the server acknowledged to clients: it must be stored, whatever happens later. */
export interface Acknowledged {
  /** The price of every complete response, by trace id. */
  readonly charges: Map<string, number>;
  /** Keys that were shown. */
  readonly keys: Set<string>;
}

export interface LoadOptions {
  readonly text?: () => string;
  /** Called with each complete response. */
  readonly onSpoken?: (text: string, audio: Buffer) => void;
}

/** One request of a client. */
export type ClientAction = (url: string, key: string) => Promise<void>;

/** Clients that use TTS, live sockets, disconnect early and create keys, all at once, until the server has ended. */
export async function loadUntilClosed(url: string, keys: readonly string[], acknowledged: Acknowledged): Promise<void> {
  let hasEnded = false;
  const repeat = async (act: ClientAction, key: string): Promise<void> => {
    while (!hasEnded) {
      try {
        await act(url, key);
      } catch {
        // Either the server was killed, which ends the load, or the client has disconnected on purpose.
        if (!(await isReachable(url))) hasEnded = true;
      }
    }
  };
  await Promise.all(keys.flatMap((key) => chargedActions(acknowledged).map((act) => repeat(act, key))));
}

/** What the clients of such a load do. */
export function chargedActions(acknowledged: Acknowledged, options: LoadOptions = {}): readonly ClientAction[] {
  const { text: nextText = () => "x".repeat(randomInt(1, 400)), onSpoken } = options;
  const speak: ClientAction = async (url, key) => {
    const text = nextText();
    const answer = await post(url, "/v1/tts", key, { text, format: "pcm" });
    const audio = Buffer.from(await answer.arrayBuffer());
    if (answer.status !== 200) return;
    acknowledged.charges.set(answer.headers.get("x-trace-id") ?? "", creditsForText(text));
    onSpoken?.(text, audio);
  };
  const leave: ClientAction = async (url, key) => {
    const signal = AbortSignal.timeout(randomInt(5, 60));
    await (await post(url, "/v1/tts", key, { text: "y".repeat(200), format: "pcm" }, signal)).arrayBuffer();
  };
  const write: ClientAction = async (url, key) => {
    const client = await connectLive(url, { headers: { authorization: `Bearer ${key}` } });
    const text = "One sentence. And another. And the last one.";
    client.send({ event: "start", request: { text, format: "pcm" } }, { event: "stop" });
    const { finish } = await client.round();
    if (finish.reason === "stop") acknowledged.charges.set(String(client.headers["x-trace-id"]), creditsForText(text));
    await client.close();
  };
  const makeKey: ClientAction = async (url, key) => {
    const answer = await post(url, "/account/keys", key, { name: "made under load" });
    const { secret } = (await answer.json()) as { readonly secret?: string };
    if (answer.status === 201 && secret !== undefined) acknowledged.keys.add(secret);
    await new Promise((resolve) => setTimeout(resolve, 20));
  };
  return [speak, speak, leave, write, makeKey];
}

function post(url: string, path: string, key: string, body: unknown, signal?: AbortSignal): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, model: "s2-pro", "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

async function isReachable(url: string): Promise<boolean> {
  try {
    await (await fetch(`${url}/health/live`)).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
