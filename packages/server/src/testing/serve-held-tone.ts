/** A server process whose tone engine returns the first part at once and the rest after a message of its parent. */

import { startServer } from "../compose/server.ts";
import { closeOnSignal } from "../compose/signals.ts";
import { readConfig } from "../config/config.ts";
import { createLog } from "../telemetry/log.ts";
import { createBurstTranscription } from "./burst-transcription.ts";
import { createToneSpeech } from "./tone-speech.ts";

const { config } = readConfig(process.env);
const released = new Promise<void>((resolve) => {
  process.once("message", () => resolve());
});
const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
const speech = createToneSpeech({
  parts: 5,
  before: (part, signal) => (part === 0 ? undefined : Promise.race([released, stopped(signal)])),
});
const transcription = createBurstTranscription();
const log = createLog("silent");
const server = await startServer({ config, speech, transcription, log, node: { heartbeatMs: 500 } });
process.send?.({ url: server.url, key: server.bootstrap.freshKey });
await closeOnSignal(server);
await speech.close();
// The open IPC channel would keep the process alive.
process.disconnect();
