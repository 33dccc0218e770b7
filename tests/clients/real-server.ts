import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { Parlance } from "@parlance/client";
import { type Config, createLog, readConfig, startServer } from "@parlance/server";
import type { EngineName, ModelStore } from "@parlance/speech";
import { testModels } from "../../packages/speech/src/testing/models.ts";

/** Requests of one account at a time on the server that the suites share. */
export const CONCURRENCY = 8;

export interface RealServer {
  readonly url: string;
  readonly key: string;
  /** The data folder. */
  readonly data: string;
  /** The id of an installed voice. */
  readonly voice: string;
  /** The lines of its log, as JSON. */
  readonly log: readonly string[];
  /** With the key. */
  readonly client: Parlance;
}

let shared: Promise<RealServer & { close(): Promise<void> }> | undefined;
after(async () => (await shared)?.close());

/**
 * The server as a user starts it, with a real engine and database, on a free port. The files of a process share it, since
 * loading the models takes longest. It is closed after their tests.
 */
export function realServer(): Promise<RealServer> {
  shared ??= startRealServer({ concurrency: CONCURRENCY, requestsPerMinute: 0 });
  return shared;
}

async function startRealServer(settings: Partial<Config>) {
  const data = await mkdtemp(join(tmpdir(), "parlance-clients-"));
  const models = await testModels("kokoro-q8", "silero-vad", "moonshine-base", "whisper-base");
  const { server, log } = await startOnModels(models, ["kokoro"], { data, cloning: "off", ...settings });
  const key = server.bootstrap.freshKey ?? "";
  return {
    url: server.url,
    key,
    data,
    log,
    client: new Parlance({ baseUrl: server.url, apiKey: key }),
    voice: server.speech.defaultVoice()?.id ?? "",
    async close() {
      await server.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}

export async function startOnModels(models: ModelStore, engines: readonly EngineName[], settings: Partial<Config>) {
  const log: string[] = [];
  const server = await startServer({
    config: { ...readConfig({}).config, port: 0, workers: 1, keepAhead: "off", ...settings },
    models,
    engines,
    log: createLog("info", { write: (line) => log.push(line) }),
    // A check at the start loads the recognizers, and one a minute takes CPU time from the tests.
    healthChecks: "off",
  });
  return { server, log };
}
