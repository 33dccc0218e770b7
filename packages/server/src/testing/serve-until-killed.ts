/** A server process with a tone engine. Loads its code first, starts when its parent sends settings, runs until killed. */

import { startServer } from "../compose/server.ts";
import { readConfig } from "../config/config.ts";
import { createLog } from "../telemetry/log.ts";
import { createBurstTranscription } from "./burst-transcription.ts";
import { createToneSpeech } from "./tone-speech.ts";

process.once("message", async (environment: Readonly<Record<string, string>>) => {
  const { config } = readConfig(environment);
  const speech = createToneSpeech({
    parts: 8,
    splitText: true,
    before: () => new Promise((resolve) => setTimeout(resolve, Math.random() * 8)),
  });
  const server = await startServer({
    config,
    speech,
    transcription: createBurstTranscription(),
    log: createLog("silent"),
    node: { heartbeatMs: 100, expiryMs: 800 },
  });
  process.send?.(server.url);
});
process.on("disconnect", () => process.exit(0));
process.send?.("loaded");
