import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LIMITS, VOICE_LIMITS } from "@parlance/protocol";
import { type Config, createLog, readConfig, startServer } from "@parlance/server";
import {
  createCloning,
  createSayTrial,
  createSpeech,
  createTranscription,
  type Effort,
  type EngineName,
  type ModelStore,
} from "@parlance/speech";
import { testModels } from "../../packages/speech/src/testing/models.ts";

export interface VoiceServer {
  readonly url: string;
  readonly key: string;
  /** Of the one-time link that the first start gives. */
  readonly signInToken: string | undefined;
  readonly data: string;
  readonly log: readonly string[];
  /** A clip of the reader of the test speech. */
  clip(number: "0870" | "0880" | "0890" | "0920" | "0930"): Promise<Buffer>;
  kennedy(): Promise<Buffer>;
  /** Stops it. The data stays. */
  stop(): Promise<void>;
  /** Stops it, and takes the data away. */
  close(): Promise<void>;
}

export interface VoiceServerOptions {
  /** Of a server before. */
  readonly data?: string;
  readonly engines?: readonly EngineName[];
  /** How much is done for a voice after it was made; little, as a rule: here it matters that, not how well. */
  readonly effort?: Effort;
  readonly settings?: Partial<Config>;
}

/** The service with all that it takes to make voices: real engines, a real database, a free port. */
export async function startVoiceServer(options: VoiceServerOptions = {}): Promise<VoiceServer> {
  const { effort = { population: 2, generations: 1 }, engines = ["piper"], settings = {} } = options;
  const data = options.data ?? (await mkdtemp(join(tmpdir(), "parlance-voices-")));
  const models = await testModels(
    ...["piper-libritts", "kokoro-q8", "xvector", "silero-vad", "moonshine-base", "whisper-base", "test-speech"],
  );
  const speech = await createSpeech({ models, engines, workers: 1, keepAhead: false });
  const { min: minSeconds, max: maxSeconds } = LIMITS.asrSeconds;
  const transcription = await createTranscription({ models, workers: 1, minSeconds, maxSeconds });
  const { minSeconds: leastSeconds, maxSeconds: mostSeconds } = VOICE_LIMITS;
  const cloning = await createCloning({
    models,
    leastSeconds,
    mostSeconds,
    effort,
    sayTrial: createSayTrial(speech),
  });
  const log: string[] = [];
  const server = await startServer({
    config: { ...readConfig({}).config, data, port: 0, requestsPerMinute: 0, concurrency: 100, ...settings },
    speech,
    transcription,
    cloning,
    log: createLog("info", { write: (line) => log.push(line) }),
  });
  const stop = async (): Promise<void> => {
    await server.close();
    await Promise.all([speech.close(), transcription.close(), cloning.close()]);
  };
  return {
    url: server.url,
    key: settings.adminKey ?? server.bootstrap.freshKey ?? "",
    signInToken: server.bootstrap.signInToken,
    data,
    log,
    clip: (number) => readClip(models, `librivox/sense_and_sensibility_01_austen_64kb-${number}.wav`),
    kennedy: () => readClip(models, "jfk.wav"),
    stop,
    async close() {
      await stop();
      await rm(data, { recursive: true, force: true });
    },
  };
}

function readClip(models: ModelStore, name: string): Promise<Buffer> {
  return readFile(models.path("test-speech", name));
}
