import type { TestContext } from "node:test";
import { connectLive, type LiveConnect } from "./live-client.ts";
import { startTestServer } from "./test-server.ts";
import { createToneSpeech, type ToneOptions } from "./tone-speech.ts";

/** A server for one test whose engine the test controls. */
export async function serveToneSpeech(
  context: TestContext,
  options: ToneOptions = {},
  extra: Parameters<typeof startTestServer>[0] = {},
) {
  const speech = createToneSpeech(options);
  const server = await startTestServer({ speech, ...extra });
  context.after(() => server.close());
  return { speech, server, connect: (connect?: LiveConnect) => connectLive(server.url, connect) };
}
