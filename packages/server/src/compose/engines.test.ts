import assert from "node:assert/strict";
import { it } from "node:test";
import { createModelStore } from "@parlance/speech";
import { readConfig } from "../config/config.ts";
import { createLog } from "../telemetry/log.ts";
import { createBurstTranscription } from "../testing/burst-transcription.ts";
import { instantCloning } from "../testing/instant-cloning.ts";
import { createToneSpeech } from "../testing/tone-speech.ts";
import { until } from "../testing/until.ts";
import { createEngines } from "./engines.ts";

it("loads what the first cloned voice needs after the start, unless that is to be done on demand", async () => {
  const start = async (cloning: string) => {
    let prepared = 0;
    const asked: string[] = [];
    const has = async (id: string): Promise<boolean> => asked.push(id) > 0;
    const engines = await createEngines(readConfig({ PARLANCE_CLONING: cloning }).config, createLog("silent"), {
      speech: createToneSpeech(),
      transcription: createBurstTranscription(),
      cloning: { ...instantCloning, prepare: () => void prepared++ },
      models: { ...createModelStore({ directory: "/nonexistent" }), has },
      fetchModels: true,
    });
    engines.startDownloads();
    await until(() => asked.includes("silero-vad"));
    await new Promise((resolve) => setImmediate(resolve));
    await engines.close();
    return () => prepared;
  };
  const [on, lazy] = [await start("on"), await start("lazy")];
  await until(() => on() === 1);
  assert.deepEqual([on(), lazy()], [1, 0]);
});
