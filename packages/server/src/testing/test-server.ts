import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Speech, Transcription } from "@parlance/speech";
import { type ServerOptions, startServer } from "../compose/server.ts";
import { type Config, readConfig } from "../config/config.ts";
import type { ActiveRequests } from "../http/active-requests.ts";
import { createKeys, type Keys } from "../services/identity/keys.ts";
import type { Store } from "../stores/store.ts";
import { createLog } from "../telemetry/log.ts";
import { createBurstTranscription } from "./burst-transcription.ts";
import { createToneSpeech } from "./tone-speech.ts";

export const TEST_KEY = "test-key-0123456789abcdef";

export interface TestServer {
  readonly url: string;
  readonly wyomingPort: number | undefined;
  /** The data folder. */
  readonly folder: string;
  readonly store: Store;
  readonly keys: Keys;
  readonly adminId: string;
  readonly activeRequests: ActiveRequests;
  /** The lines of the log, as JSON. */
  readonly log: string[];
  post(body: unknown, init?: TestRequest): Promise<Response>;
  close(): Promise<void>;
}

export interface TestRequest {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
  readonly path?: string;
}

/** A real server on a free port of this machine, with a new database and, by default, engines that make tones. */
export async function startTestServer(
  options: {
    readonly speech?: Speech;
    readonly transcription?: Transcription;
    readonly config?: Partial<Config>;
    readonly parts?: Partial<ServerOptions>;
  } = {},
): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "parlance-test-"));
  const log: string[] = [];
  const server = await startServer({
    config: {
      ...readConfig({}).config,
      data: folder,
      port: 0,
      adminKey: TEST_KEY,
      requestsPerMinute: 0,
      drainSeconds: 0,
      ...options.config,
    },
    // With a NATS server, the machines of the cluster speak.
    ...(options.config?.natsUrl === undefined ? { speech: options.speech ?? createToneSpeech() } : {}),
    transcription: options.transcription ?? createBurstTranscription(),
    log: createLog("info", { write: (line) => log.push(line) }),
    // Many tests count the requests that reach the engines.
    healthChecks: "off",
    dashboard: undefined,
    ...options.parts,
  });
  const { url, wyomingPort, store, activeRequests, bootstrap } = server;
  return {
    url,
    wyomingPort,
    folder,
    store,
    keys: createKeys(store),
    adminId: bootstrap.adminId,
    activeRequests,
    log,
    post(body, { headers = {}, signal, path = "/v1/tts" } = {}) {
      const all = {
        authorization: `Bearer ${TEST_KEY}`,
        model: "s2-pro",
        "content-type": "application/json",
        ...headers,
      };
      return fetch(url + path, {
        method: "POST",
        headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
        body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
        ...(signal === undefined ? {} : { signal }),
      });
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
