/** A server process with a slow tone engine, until a signal stops it. */

import { startServer } from "../compose/server.ts";
import { closeOnSignal } from "../compose/signals.ts";
import { readConfig } from "../config/config.ts";
import { createLog } from "../telemetry/log.ts";
import { createBurstTranscription } from "./burst-transcription.ts";
import { createToneSpeech } from "./tone-speech.ts";

const { config } = readConfig(process.env);
const speech = createToneSpeech({
  parts: 10,
  before: () => new Promise((resolve) => setTimeout(resolve, 50)),
});
const transcription = createBurstTranscription();
const server = await startServer({ config, speech, transcription, log: createLog("silent") });
console.log(JSON.stringify({ url: server.url, key: server.bootstrap.freshKey }));
await closeOnSignal(server);
await speech.close();
