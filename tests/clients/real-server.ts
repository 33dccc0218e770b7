import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LIMITS } from "@parlance/protocol";
import { type Config, createLog, readConfig, startServer } from "@parlance/server";
import { createSpeech, createTranscription } from "@parlance/speech";
import { testModels } from "../../packages/speech/src/testing/models.ts";

export interface RealServer {
  readonly url: string;
  readonly key: string;
  /** Where it keeps its data. */
  readonly data: string;
  /** The id of a voice that it has. */
  readonly voice: string;
  /** Everything that it logged, as lines of JSON. */
  readonly log: readonly string[];
  close(): Promise<void>;
}

/** The service as a user starts it: real engine, real database, a free port. */
export async function startRealServer(settings: Partial<Config> = {}): Promise<RealServer> {
  const data = await mkdtemp(join(tmpdir(), "parlance-clients-"));
  const models = await testModels("kokoro-q8", "silero-vad", "moonshine-base", "whisper-base");
  const speech = await createSpeech({ models, engines: ["kokoro"], workers: 1, keepAhead: false });
  const { min: minSeconds, max: maxSeconds } = LIMITS.asrSeconds;
  const transcription = await createTranscription({ models, minSeconds, maxSeconds });
  const config = { ...readConfig({}).config, data, port: 0, ...settings };
  const log: string[] = [];
  const server = await startServer({
    config,
    speech,
    transcription,
    log: createLog("info", { write: (line) => log.push(line) }),
  });
  return {
    url: server.url,
    key: server.bootstrap.freshKey ?? "",
    data,
    log,
    voice: speech.defaultVoice()?.id ?? "",
    async close() {
      await server.close();
      await Promise.all([speech.close(), transcription.close()]);
      await rm(data, { recursive: true, force: true });
    },
  };
}
