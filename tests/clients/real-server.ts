import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLog, readConfig, startServer } from "@parlance/server";
import { createSpeech } from "@parlance/speech";
import { testModels } from "../../packages/speech/src/testing/models.ts";

export interface RealServer {
  readonly url: string;
  readonly key: string;
  /** The id of a voice that it has. */
  readonly voice: string;
  /** Everything that it logged, as lines of JSON. */
  readonly log: readonly string[];
  close(): Promise<void>;
}

/** The service as a user starts it: real engine, real database, a free port. */
export async function startRealServer(): Promise<RealServer> {
  const data = await mkdtemp(join(tmpdir(), "parlance-clients-"));
  const speech = await createSpeech({ models: await testModels("piper-libritts"), engines: ["piper"], workers: 1 });
  const config = { ...readConfig({}).config, data, port: 0 };
  const log: string[] = [];
  const server = await startServer({
    config,
    speech,
    log: createLog("info", { write: (line) => log.push(line) }),
  });
  return {
    url: server.url,
    key: server.bootstrap.freshKey ?? "",
    log,
    voice: speech.defaultVoice()?.id ?? "",
    async close() {
      await server.close();
      await speech.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}
