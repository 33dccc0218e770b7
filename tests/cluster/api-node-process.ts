/** An api node without models. It loads its code first, starts when its parent sends settings, and runs until it is killed. */
import { createLog, readConfig, startServer } from "@parlance/server";
import { createBurstTranscription } from "../../packages/server/src/testing/burst-transcription.ts";
import { instantCloning } from "../../packages/server/src/testing/instant-cloning.ts";
import { runAsChild } from "./child-protocol.ts";

runAsChild(async (settings: Readonly<Record<string, string>>) => {
  const { url } = await startServer({
    config: readConfig({ ...settings }).config,
    transcription: createBurstTranscription(),
    cloning: instantCloning,
    log: createLog("silent"),
    // Long enough that a running node does not expire on a busy machine.
    node: { heartbeatMs: 250, expiryMs: 10_000 },
    healthChecks: "off",
    dashboard: undefined,
  });
  return url;
});
