import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import type { Config } from "@parlance/server";
import type { EngineName, ModelStore } from "@parlance/speech";
import { testModels } from "../../packages/speech/src/testing/models.ts";
import { startOnModels } from "./real-server.ts";

export interface VoiceServer {
  readonly url: string;
  readonly key: string;
  /** The token of the one-time sign-in link of the first start. */
  readonly signInToken: string | undefined;
  readonly data: string;
  readonly log: readonly string[];
  /** A clip of the reader of the test speech. */
  clip(number: "0870" | "0880" | "0890" | "0920" | "0930"): Promise<Buffer>;
  kennedy(): Promise<Buffer>;
  /** Keeps the data. */
  stop(): Promise<void>;
  /** Deletes the data. */
  close(): Promise<void>;
}

export interface VoiceServerOptions {
  /** The data folder of an earlier server. */
  readonly data?: string;
  readonly engines?: readonly EngineName[];
  readonly settings?: Partial<Config>;
}

let shared: Promise<VoiceServer> | undefined;
after(async () => (await shared)?.close());

/** One server for the files of a process, closed after their tests. */
export function voiceServer(): Promise<VoiceServer> {
  shared ??= startVoiceServer();
  return shared;
}

/** A server that can clone voices, with real engines and a real database, on a free port. */
export async function startVoiceServer(options: VoiceServerOptions = {}): Promise<VoiceServer> {
  const { engines = ["kokoro"], settings = {} } = options;
  const data = options.data ?? (await mkdtemp(join(tmpdir(), "parlance-voices-")));
  const models = await testModels(
    ...["piper-libritts", "kokoro-q8", "xvector", "silero-vad", "moonshine-base", "whisper-base", "test-speech"],
  );
  // A refinement takes minutes of a core.
  const limits = { asrWorkers: 1, requestsPerMinute: 0, concurrency: 100, refinementShare: 0 };
  const { server, log } = await startOnModels(models, engines, { data, ...limits, ...settings });
  return {
    url: server.url,
    key: settings.adminKey ?? server.bootstrap.freshKey ?? "",
    signInToken: server.bootstrap.signInToken,
    data,
    log,
    clip: (number) => readClip(models, `librivox/sense_and_sensibility_01_austen_64kb-${number}.wav`),
    kennedy: () => readClip(models, "jfk.wav"),
    stop: server.close,
    async close() {
      await server.close();
      await rm(data, { recursive: true, force: true });
    },
  };
}

function readClip(models: ModelStore, name: string): Promise<Buffer> {
  return readFile(models.path("test-speech", name));
}
