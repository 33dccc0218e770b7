import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog, readConfig, startServer } from "@parlance/server";
import { createTranscription, type ModelStore } from "@parlance/speech";
import { createToneSpeech } from "../packages/server/src/testing/tone-speech.ts";
import { median, round } from "./statistics.ts";

const RUNS = 7;
const never = new AbortController().signal;

/** The same recording over HTTP and with the library alone, alternating on the same workers: the difference is the server. */
export async function benchAsrHttp(models: ModelStore, path: string, bareMs: number) {
  const data = mkdtempSync(join(tmpdir(), "parlance-bench-"));
  const { config } = readConfig({ PARLANCE_DATA: data, PARLANCE_PORT: "0", PARLANCE_REQUESTS_PER_MINUTE: "0" });
  const transcription = await createTranscription({ models });
  const server = await startServer({ config, speech: createToneSpeech(), transcription, log: createLog("silent") });
  const authorization = `Bearer ${server.bootstrap.freshKey}`;
  const post = async () => {
    const body = new FormData();
    body.set("audio", new Blob([readFileSync(path)]), "recording.wav");
    body.set("language", "en");
    const response = await fetch(`${server.url}/v1/asr`, { method: "POST", headers: { authorization }, body });
    if (!response.ok) throw new Error(`the server responded with ${response.status}: ${await response.text()}`);
    await response.json();
  };
  const direct = () => transcription.transcribe({ path, granularity: "segment", language: "en" }, never);
  const took: { http: number[]; library: number[] } = { http: [], library: [] };
  try {
    for (let repetition = -1; repetition < RUNS; repetition++) {
      for (const [way, run] of [
        ["http", post],
        ["library", direct],
      ] as const) {
        const start = performance.now();
        await run();
        if (repetition >= 0) took[way].push(performance.now() - start);
      }
    }
  } finally {
    await server.close();
    await transcription.close();
    rmSync(data, { recursive: true });
  }
  const [http, library] = [median(took.http), median(took.library)];
  return {
    "over HTTP ms": round(http),
    "library alone ms": round(library),
    "bare model ms": round(bareMs),
    "the server adds, % of the bare model": round((100 * (http - library)) / bareMs, 1),
  };
}
