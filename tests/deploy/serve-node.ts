/** A node with the tone engine, as a process. Its streams wait after their first part while the parent holds them. */
import { closeOnSignal, createLog, readConfig, startServer } from "@parlance/server";
import { createBurstTranscription } from "../../packages/server/src/testing/burst-transcription.ts";
import { createToneSpeech } from "../../packages/server/src/testing/tone-speech.ts";
import { until } from "../support/until.ts";

let held = false;
process.on("message", (message) => {
  held = message === "hold";
});
const { config } = readConfig(process.env);
const speech = createToneSpeech({
  parts: 5,
  before: async (part, signal) => {
    if (part > 0) await until(() => !held || signal.aborted, { what: "the streams are released" });
  },
});
const transcription = createBurstTranscription();
const server = await startServer({ config, speech, transcription, log: createLog("silent") });
process.send?.(server.url);
await closeOnSignal(server);
// The channel to the parent would keep the process alive.
process.disconnect();
