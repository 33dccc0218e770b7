import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, createLog, readConfig, startServer } from "@parlance/server";
import { testModels } from "../../packages/speech/src/testing/models.ts";

export interface RealServer {
  readonly url: string;
  readonly key: string;
  /** The data folder. */
  readonly data: string;
  /** The id of an installed voice. */
  readonly voice: string;
  /** The lines of its log, as JSON. */
  readonly log: readonly string[];
  close(): Promise<void>;
}

/** The server as a user starts it, with a real engine and database, on a free port. */
export async function startRealServer(settings: Partial<Config> = {}): Promise<RealServer> {
  const data = await mkdtemp(join(tmpdir(), "parlance-clients-"));
  const models = await testModels("kokoro-q8", "silero-vad", "moonshine-base", "whisper-base");
  const log: string[] = [];
  const server = await startServer({
    config: {
      ...readConfig({}).config,
      data,
      port: 0,
      workers: 1,
      keepAhead: "off",
      cloning: "off",
      ...settings,
    },
    models,
    engines: ["kokoro"],
    log: createLog("info", { write: (line) => log.push(line) }),
  });
  return {
    url: server.url,
    key: server.bootstrap.freshKey ?? "",
    data,
    log,
    voice: server.speech.defaultVoice()?.id ?? "",
    async close() {
      await server.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}
