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

/** Clients that use TTS, live sockets, disconnect early and create keys, all at once, until the server has ended. */
export async function loadUntilGone(url: string, keys: readonly string[], acknowledged: Acknowledged): Promise<void> {
  let hasEnded = false;
  const repeat = async (act: (key: string) => Promise<void>, key: string): Promise<void> => {
    while (!hasEnded) {
      try {
        await act(key);
      } catch {
        // Either the server was killed, which ends the load, or the client has disconnected on purpose.
        if (!(await isReachable(url))) hasEnded = true;
      }
    }
  };
  const speak = async (key: string): Promise<void> => {
    const text = "x".repeat(randomInt(1, 400));
    const answer = await post(url, "/v1/tts", key, { text, format: "pcm" });
    await answer.arrayBuffer();
    if (answer.status === 200) acknowledged.charges.set(answer.headers.get("x-trace-id") ?? "", creditsForText(text));
  };
  const leave = async (key: string): Promise<void> => {
    const signal = AbortSignal.timeout(randomInt(5, 60));
    await (await post(url, "/v1/tts", key, { text: "y".repeat(200), format: "pcm" }, signal)).arrayBuffer();
  };
  const write = async (key: string): Promise<void> => {
    const client = await connectLive(url, { headers: { authorization: `Bearer ${key}` } });
    const text = "One sentence. And another. And the last one.";
    client.send({ event: "start", request: { text, format: "pcm" } }, { event: "stop" });
    const { finish } = await client.round();
    if (finish.reason === "stop") acknowledged.charges.set(String(client.headers["x-trace-id"]), creditsForText(text));
    await client.close();
  };
  const makeKey = async (key: string): Promise<void> => {
    const answer = await post(url, "/account/keys", key, { name: "made under load" });
    const { secret } = (await answer.json()) as { readonly secret?: string };
    if (answer.status === 201 && secret !== undefined) acknowledged.keys.add(secret);
    await new Promise((resolve) => setTimeout(resolve, 20));
  };
  await Promise.all(keys.flatMap((key) => [speak, speak, leave, write, makeKey].map((act) => repeat(act, key))));
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
