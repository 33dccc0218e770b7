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

const start = async (environment: Record<string, string>, fetchModels = true) => {
  let prepared = 0;
  const asked: string[] = [];
  const has = async (id: string): Promise<boolean> => asked.push(id) > 0;
  const engines = await createEngines(readConfig(environment).config, createLog("silent"), {
    speech: createToneSpeech(),
    transcription: createBurstTranscription(),
    cloning: { ...instantCloning, prepare: () => void prepared++ },
    models: { ...createModelStore({ directory: "/nonexistent" }), has },
    fetchModels,
  });
  return { engines, asked, prepared: () => prepared };
};

it("loads what the first cloned voice needs before the server listens", { timeout: 30_000 }, async () => {
  const counts = [];
  for (const cloning of ["on", "lazy", "off"]) {
    const { engines, prepared } = await start({ PARLANCE_CLONING: cloning });
    counts.push(prepared());
    await engines.close();
  }
  const { engines, prepared } = await start({}, false);
  await engines.close();
  assert.deepEqual([...counts, prepared()], [1, 0, 0, 0]);
});

it("loads it again after the downloads, since it may have been missing", { timeout: 30_000 }, async () => {
  const started = async (cloning: string) => {
    const { engines, asked, prepared } = await start({ PARLANCE_CLONING: cloning });
    engines.startDownloads();
    await until(() => asked.includes("silero-vad"));
    await new Promise((resolve) => setImmediate(resolve));
    await engines.close();
    return prepared;
  };
  const [on, lazy] = [await started("on"), await started("lazy")];
  await until(() => on() === 2);
  assert.deepEqual([on(), lazy()], [2, 0]);
});
