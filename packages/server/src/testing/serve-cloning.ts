/** A server process that makes voices from any recording, in a moment, and refines them. Runs until it is killed. */

import { startServer } from "../compose/server.ts";
import { readConfig } from "../config/config.ts";
import { createLog } from "../telemetry/log.ts";
import { createBurstTranscription } from "./burst-transcription.ts";
import { instantCloning } from "./instant-cloning.ts";
import { createToneSpeech } from "./tone-speech.ts";

process.once("message", async (environment: Readonly<Record<string, string>>) => {
  const { config } = readConfig(environment);
  const server = await startServer({
    config,
    speech: createToneSpeech(),
    transcription: createBurstTranscription(),
    cloning: instantCloning,
    log: createLog("silent"),
    node: { heartbeatMs: 100, expiryMs: 800 },
  });
  process.send?.(server.url);
});
process.on("disconnect", () => process.exit(0));
process.send?.("loaded");
